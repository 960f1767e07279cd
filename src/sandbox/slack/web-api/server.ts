import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Echo } from '../delivery/echo.ts';
import { isJson, type Json } from '../json.ts';
import type { SandboxState } from '../state.ts';
import { answerCall, faultAnswer, type HttpAnswer } from './answer-call.ts';
import { readArgs, readBody, readToken } from './body.ts';
import { answerDownload } from './downloads.ts';
import { answerResponseUrl } from './response-url.ts';

type ServerInput = { state: SandboxState; echo: Echo; socketUrl: () => string };

function send(response: ServerResponse, answer: HttpAnswer): void {
  if (answer === 'drop') return void response.socket?.destroy();
  const isText = typeof answer.body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
  response.end(isText ? answer.body : JSON.stringify(answer.body));
}

function outcomeOf(answer: HttpAnswer): { status: number | null; ok: boolean; error: string | null } {
  if (answer === 'drop') return { status: null, ok: false, error: 'connection_dropped' };
  const { status, body } = answer;
  if (!isJson(body)) return { status, ok: status === 200, error: status === 200 ? null : String(body) };
  return { status, ok: body.ok === true, error: typeof body.error === 'string' ? body.error : null };
}

/** Runs one call, the outcome into the log; a planned delay holds the answer back. */
async function logged(
  state: SandboxState,
  call: { method: string; args: Json },
  run: () => HttpAnswer,
): Promise<HttpAnswer> {
  const finish = state.calls.start(call.method, call.args);
  const delayMs = state.faults.takeDelayMs(call);
  const answer = run();
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
  finish(outcomeOf(answer));
  return answer;
}

function withFaults(state: SandboxState, method: string, run: () => HttpAnswer): HttpAnswer {
  const fault = state.faults.take(method);
  if (fault === undefined) return run();
  if (fault.kind === 'fault' && fault.afterApplying === true) run();
  return faultAnswer(fault);
}

function receiveUpload(state: SandboxState, path: string, upload: { args: Json | null; body: Buffer }): HttpAnswer {
  const sent = Object.values(upload.args ?? {}).find((value) => value instanceof Uint8Array);
  const content = sent instanceof Uint8Array ? sent : new Uint8Array(upload.body);
  const received = state.files.receive(path.split('/').at(-1) ?? '', content);
  return received ? { status: 200, body: `OK - ${content.byteLength}` } : { status: 400, body: 'invalid_upload' };
}

async function answerRequest(input: ServerInput, request: IncomingMessage): Promise<HttpAnswer> {
  const { state, echo, socketUrl } = input;
  const url = new URL(request.url ?? '/', state.baseUrl);
  const body = await readBody(request);
  const args = await readArgs(request, body, url.searchParams);
  const path = url.pathname;
  if (path.startsWith('/api/')) {
    const method = path.slice('/api/'.length);
    if (args === null) return { status: 200, body: { ok: false, error: 'invalid_json' } };
    const token = readToken(request, args);
    return logged(state, { method, args }, () => answerCall({ state, echo, socketUrl, args, method, token }));
  }
  if (path.startsWith('/actions/') && args !== null) {
    const run = () => answerResponseUrl({ state, echo, path, body: args });
    return logged(state, { method: 'response_url', args }, () => withFaults(state, 'response_url', run));
  }
  if (path.startsWith('/upload/v1/')) {
    const run = () => receiveUpload(state, path, { args, body });
    return logged(state, { method: 'upload', args: { path } }, () => withFaults(state, 'upload', run));
  }
  return { status: 404, body: 'not_found' };
}

function handleDownload(state: SandboxState, request: IncomingMessage, response: ServerResponse): void {
  const finish = state.calls.start('download', { path: request.url });
  const fault = state.faults.take('download');
  if (fault !== undefined) {
    const answer = faultAnswer(fault);
    finish(outcomeOf(answer));
    send(response, answer);
    return;
  }
  const status = answerDownload(state, request, response);
  finish({ status, ok: status === 200, error: null });
}

/** Creates the HTTP server: Web API, response URLs, uploads, file downloads. It does not listen yet. */
export function createApiServer(input: ServerInput): Server {
  return createServer((request, response) => {
    if (request.url?.startsWith('/files-pri/') === true) return handleDownload(input.state, request, response);
    answerRequest(input, request).then(
      (answer) => send(response, answer),
      (error: unknown) => send(response, { status: 500, body: `The sandbox failed: ${String(error)}` }),
    );
  });
}
