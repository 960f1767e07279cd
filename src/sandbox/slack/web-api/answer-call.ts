import type { Fault } from '../faults.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxState } from '../state.ts';
import { AUTH_METHODS } from './auth.ts';
import { CHAT_METHODS } from './chat.ts';
import { CONVERSATION_METHODS } from './conversations.ts';
import { FILE_METHODS } from './files.ts';
import type { ApiCall, ApiMethod, ApiMethods } from './method.ts';
import { USER_METHODS } from './users.ts';
import { VIEW_METHODS } from './views.ts';

/** What goes back over HTTP; `drop` ends the connection without an answer. */
export type HttpAnswer = { status: number; headers?: Record<string, string>; body: Json | string } | 'drop';

const METHODS: ApiMethods = {
  ...AUTH_METHODS,
  ...CHAT_METHODS,
  ...CONVERSATION_METHODS,
  ...USER_METHODS,
  ...VIEW_METHODS,
  ...FILE_METHODS,
};

function checkToken(method: ApiMethod, token: string | null, state: SandboxState): void {
  const { botToken, appToken, scopes } = state.setup;
  if (token === null) throw new Refusal('not_authed');
  if (token !== botToken && token !== appToken) throw new Refusal('invalid_auth');
  const expected = method.appToken === true ? appToken : botToken;
  if (token !== expected) throw new Refusal('not_allowed_token_type');
  const { scopes: needed } = method;
  if (needed === null || needed.some((scope) => scopes.includes(scope))) return;
  throw new Refusal('missing_scope', { needed: needed.join(','), provided: scopes.join(',') });
}

function limited(retryAfterS: number): HttpAnswer {
  const headers = { 'retry-after': String(retryAfterS) };
  return { status: 429, headers, body: { ok: false, error: 'ratelimited' } };
}

/** The answer of a planned failure. */
export function faultAnswer(fault: Fault): HttpAnswer {
  if (fault.kind === 'limit') return limited(fault.retryAfterS);
  if (fault.dropConnection === true) return 'drop';
  if (fault.error !== undefined) return { status: 200, body: { ok: false, error: fault.error } };
  return { status: fault.status ?? 500, body: 'sandbox failure' };
}

type NamedCall = ApiCall & { method: string; token: string | null };

function apply(call: NamedCall): HttpAnswer {
  const method = Object.hasOwn(METHODS, call.method) ? METHODS[call.method] : undefined;
  if (method === undefined) throw new Refusal('unknown_method', { req_method: call.method });
  checkToken(method, call.token, call.state);
  const channel = String(call.args.channel ?? '');
  const waitS = call.state.rateLimiter.admit({ method: call.method, tier: method.tier, channel });
  if (waitS > 0) return limited(waitS);
  const headers = { 'x-oauth-scopes': call.state.setup.scopes.join(',') };
  return { status: 200, headers, body: { ok: true, ...method.answer(call) } };
}

/** Answers one Web API call: planned failures first, then token, scope, rate limit, and the method itself. */
export function answerCall(call: NamedCall): HttpAnswer {
  const fault = call.state.faults.take(call.method);
  const lateFault = fault?.kind === 'fault' && fault.afterApplying === true;
  if (fault !== undefined && !lateFault) return faultAnswer(fault);
  try {
    const answer = apply(call);
    return fault === undefined ? answer : faultAnswer(fault);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 200, body: { ok: false, error: error.code, ...error.details } };
  }
}
