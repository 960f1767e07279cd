import { generateSteps } from './generators.ts';
import { fillTemplate, isObject } from './json.ts';
import { type LegReport, noteEvent } from './leg-report.ts';
import { isBeforeBytes, type PlainStep } from './scenario.ts';
import type { StreamOut } from './stream-out.ts';

/** How a leg ended: in order, cut on purpose, or answered with an HTTP status instead of a stream. */
export type LegEnd = 'ended' | 'cut' | 'refused';

/** What playing a leg needs from around it. `sleep` and `passGate` reject when the client has gone. */
export type Stage = {
  out: StreamOut;
  report: LegReport;
  /** Values of `{{name}}` in the script. */
  values: Readonly<Record<string, string>>;
  /** Fields that every text chunk carries. */
  envelope: { id: string; created: number; model: string };
  sleep(ms: number): Promise<void>;
  passGate(name: string): Promise<void>;
  /** Called once, just before the client can know that the leg is over. */
  settle(end: LegEnd): void;
};

/** Plays a leg to its end. Rejects only when the client goes first. */
export async function playLeg(leg: readonly PlainStep[], stage: Stage): Promise<void> {
  if (!leg.some(isBeforeBytes)) stage.out.open();
  if (await playSteps(leg, stage)) return;
  stage.settle('ended');
  stage.out.end();
}

/** True when the leg ended within these steps. */
async function playSteps(steps: Iterable<PlainStep>, stage: Stage): Promise<boolean> {
  for (const step of steps) if (await playStep(step, stage)) return true;
  return false;
}

async function playStep(step: PlainStep, stage: Stage): Promise<boolean> {
  const { out } = stage;
  if ('repeat' in step) return playRepeat(step.repeat, stage);
  if ('generate' in step) return playSteps(generateSteps(step.generate), stage);
  if ('cut' in step) return cut(step.cut, stage);
  if ('status' in step) return refuse(step, stage);
  if ('waitMs' in step) await stage.sleep(step.waitMs);
  else if ('hold' in step) await stage.passGate(step.hold);
  else if ('raw' in step) await out.write(step.raw);
  else if ('comment' in step) await out.comment(step.comment);
  else if ('splitEvery' in step) out.split(step.splitEvery);
  else if ('lineEnd' in step) out.setLineEnd(step.lineEnd);
  else if ('done' in step) await finish(stage);
  else if ('text' in step) await playText(step, stage);
  else if ('finish' in step) await sendChoice({ delta: {}, finish_reason: step.finish }, stage);
  else if ('plan' in step) await send({ choices: [], metadata: { type: 'plan_state', ...step.plan } }, stage);
  else await send(step.event, stage);
  return false;
}

async function playRepeat(repeat: { times: number; steps: PlainStep[] }, stage: Stage): Promise<boolean> {
  for (let n = 0; n < repeat.times; n += 1) {
    if (await playSteps(fillTemplate(repeat.steps, { n: String(n) }), stage)) return true;
  }
  return false;
}

async function playText(step: { text: string | string[]; pieces?: number; everyMs?: number }, stage: Stage) {
  const text = fillTemplate(Array.isArray(step.text) ? step.text.join('\n') : step.text, stage.values);
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / Math.max(1, step.pieces ?? 1)));
  for (let at = 0; at < characters.length; at += size) {
    if (at > 0 && step.everyMs) await stage.sleep(step.everyMs);
    await sendChoice({ delta: { content: characters.slice(at, at + size).join('') }, finish_reason: null }, stage);
  }
}

function sendChoice(choice: object, stage: Stage): Promise<void> {
  const chunk = { ...stage.envelope, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] };
  return send(chunk, { ...stage, values: {} });
}

async function send(event: unknown, stage: Stage): Promise<void> {
  const filled = isObject(event) && Object.keys(stage.values).length > 0 ? fillTemplate(event, stage.values) : event;
  noteEvent(stage.report, filled);
  await stage.out.event(filled);
}

async function finish(stage: Stage): Promise<void> {
  stage.settle('ended');
  await stage.out.done();
}

function cut(how: 'destroy' | 'end' | 'before-headers', stage: Stage): true {
  stage.settle('cut');
  if (how === 'end') stage.out.end();
  else stage.out.destroy();
  return true;
}

function refuse(step: { status: number; headers?: Record<string, string>; body?: unknown }, stage: Stage): true {
  stage.settle('refused');
  const isText = typeof step.body === 'string';
  const headers = { 'content-type': isText ? 'text/html' : 'application/json', ...step.headers };
  stage.out.refuse({
    status: step.status,
    headers,
    body: isText ? String(step.body) : JSON.stringify(step.body ?? {}),
  });
  return true;
}
