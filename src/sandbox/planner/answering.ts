import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseSteps } from './branches.ts';
import { type ChatRequest, type ChatRules, isRefusal, readChatRequest } from './chat-request.ts';
import type { Gates } from './gates.ts';
import { createLegReport, type LegReport } from './leg-report.ts';
import { userText } from './messages.ts';
import { type LegEnd, playLeg, type Stage } from './play-leg.ts';
import type { Refusal } from './refusal.ts';
import type { RecordedRequest, RequestLog } from './request-log.ts';
import type { ScriptChoice } from './script-choice.ts';
import type { Entry, Sessions } from './sessions.ts';
import { createStreamOut, createWholeOut } from './stream-out.ts';

type Parts = {
  log: RequestLog;
  gates: Gates;
  sessions: Sessions;
  choice: ScriptChoice;
  rules: ChatRules;
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

type Exchange = { chat: ChatRequest; entry: Entry; record: RecordedRequest; response: ServerResponse };

const MAX_BODY_BYTES = 128 * 1024 * 1024;

/** Makes the function that answers one chat completion request: check, enter the session, play the leg, record. */
export function createAnswering(parts: Parts) {
  return async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    const raw = { headers: request.headers, body };
    const chat = readChatRequest(raw, parts.rules);
    const entry = isRefusal(chat) ? chat : parts.sessions.enter(chat, () => parts.choice.choose(chat));
    const record = parts.log.add(describe(raw, chat, entry, parts.now()));
    if (isRefusal(chat)) return sendRefusal(response, chat);
    if (isRefusal(entry)) return sendRefusal(response, entry);
    await play({ chat, entry, record, response }, parts);
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    // A request without an encoding set yields buffers.
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The request body is larger than the sandbox reads');
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined; // answered with 400 by the check of the body
  }
}

function describe(
  raw: { headers: IncomingMessage['headers']; body: unknown },
  chat: ChatRequest | Refusal,
  entry: Entry | Refusal,
  now: number,
): Omit<RecordedRequest, 'index'> {
  const isRefused = isRefusal(entry);
  const sessionId = raw.headers['x-session-id'];
  return {
    headers: raw.headers,
    body: raw.body,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    messages: isRefusal(chat) ? [] : chat.messages,
    kind: isRefused ? 'refused' : entry.kind,
    scenario: isRefused ? null : entry.script.name,
    leg: isRefused ? null : entry.leg,
    refusal: isRefused ? entry.reason : null,
    answer: isRefused ? null : entry.answer,
    state: isRefused ? 'refused' : 'open',
    receivedAt: now,
    endedAt: isRefused ? now : null,
    planEvents: 0,
    text: '',
  };
}

function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal.body));
}

async function play(exchange: Exchange, parts: Parts): Promise<void> {
  const { chat, entry, record, response } = exchange;
  const gone = new AbortController();
  const report = createLegReport();
  let isSettled = false;
  const settle = (end: LegEnd | 'aborted') => {
    if (isSettled) return;
    isSettled = true;
    parts.sessions.settle(chat, end, report);
    Object.assign(record, { state: end, endedAt: parts.now(), planEvents: report.planEvents, text: report.text });
    parts.log.touch();
  };
  response.on('close', () => {
    settle('aborted');
    gone.abort();
  });
  try {
    const given = { answer: entry.answer, text: userTexts(chat).at(-1) ?? '' };
    const steps = chooseSteps(entry.script.scenario.legs[entry.leg] ?? [], given);
    await playLeg(steps, createStage({ exchange, report, settle, signal: gone.signal }, parts));
  } catch (error) {
    if (!gone.signal.aborted) throw error; // else the client went first, which is recorded
  }
}

function userTexts({ messages }: ChatRequest): string[] {
  return messages.filter((message) => message.role === 'user').map(userText);
}

type Scene = { exchange: Exchange; report: LegReport; settle(end: LegEnd): void; signal: AbortSignal };

function createStage({ exchange, report, settle, signal }: Scene, parts: Parts): Stage {
  const { chat, record, response } = exchange;
  const users = userTexts(chat);
  const envelope = { id: `id_${randomUUID()}`, created: parts.now(), model: chat.model };
  const out = chat.stream
    ? createStreamOut(response, signal)
    : createWholeOut(response, () => ({ ...envelope, ...toCompletion(report) }));
  return {
    report,
    values: { request: users[0] ?? '', answer: users.at(-1) ?? '' },
    envelope,
    settle,
    sleep: (ms) => parts.sleep(ms, signal),
    passGate: (name) => parts.gates.pass(name, signal),
    out: {
      ...out,
      async event(json) {
        Object.assign(record, { planEvents: report.planEvents, text: report.text });
        parts.log.touch();
        await out.event(json);
      },
    },
  };
}

/** The non-streaming answer: the text alone, without the plan. */
function toCompletion(report: LegReport): object {
  const message = {
    role: 'assistant',
    content: report.text,
    ...(report.toolCalls.length > 0 ? { tool_calls: report.toolCalls } : {}),
  };
  return {
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: report.finishReason ?? 'stop', message }],
    executable_data: [],
    metadata: {},
  };
}
