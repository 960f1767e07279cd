import { Agent, type RequestInit, fetch as undiciFetch } from 'undici';
import { errorMessage } from '../../../errors.ts';
import { PLANNER_LIMITS } from '../limits.ts';

/**
 * No answer came to a request. `unsent` names why its bytes certainly did not leave, or is null when they may have.
 * The message is fixed on purpose: the openai client takes any error that mentions a timeout for one of its own and
 * drops its cause.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly unsent: string | null;
  readonly detail: string;

  constructor(unsent: string | null, detail: string) {
    super('no answer from the planner');
    this.unsent = unsent;
    this.detail = detail;
  }
}

/** The planner answered that it will not. `body` is the beginning of what it said. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;

  constructor(refusal: { status: number; retryAfter: string | null; body: string }) {
    super(`the planner answered with status ${refusal.status}`);
    this.status = refusal.status;
    this.retryAfter = refusal.retryAfter;
    this.body = refusal.body;
  }
}

/** What leaves; the openai client would add its own, and whatever `OPENAI_CUSTOM_HEADERS` says. */
const HEADERS = new Set(['accept', 'authorization', 'content-type', 'x-session-id']);

/**
 * The `fetch` for planner requests. It throws a `RefusalError` for any status but success (the openai client would
 * read an endless body, and drop one of unusual shape) and a `TransportError` when no answer comes.
 *
 * Connections are not kept alive (`pipelining: 0`): a request written to a connection that the server is just closing
 * is lost with its outcome unknown, and must not be sent again. undici's own limits on silence are off; the watchdog
 * of idle-limit.ts is the only one.
 */
export function createTransport(): { fetch: typeof fetch; close(): Promise<void> } {
  const dispatcher = new Agent({ pipelining: 0, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 15_000 } });
  return {
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : input;
      const headers = [...new Headers(init?.headers)].filter(([name]) => HEADERS.has(name));
      // The global and undici's own type describe the same options, each with its own release's wording.
      const options = { ...(init as RequestInit | undefined), headers, dispatcher };
      // A redirect would send the request, the key and the session somewhere else: it is an answer like any other.
      const response = await undiciFetch(url, { ...options, redirect: 'manual' }).catch((error: unknown) => {
        throw new TransportError(unsentReason(error), describeError(error));
      });
      if (response.ok) return response;
      const retryAfter = response.headers.get('retry-after');
      throw new RefusalError({ status: response.status, retryAfter, body: await readBeginning(response) });
    },
    close: () => dispatcher.destroy(),
  };
}

async function readBeginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  try {
    while (reader !== undefined && size < PLANNER_LIMITS.errorBodyBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
    await reader?.cancel();
  } catch {
    // What arrived before the body broke off is still the best description of the refusal.
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, PLANNER_LIMITS.errorBodyBytes));
}

const UNSENT_CODES = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'name not found'],
  ['EAI_AGAIN', 'name not found'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection'],
]);

/**
 * Why a request certainly did not leave, or null. Only failures of the connection's own making count; the same codes
 * on an open connection (another `syscall`) do not.
 */
function unsentReason(error: unknown): string | null {
  const failure = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (failure instanceof AggregateError) {
    const reasons = failure.errors.map(unsentReason);
    return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
  }
  // The fetch standard forbids some ports, such as 1: it refuses them before it connects, and only its words tell.
  if (failure instanceof Error && failure.message === 'bad port') return 'forbidden port';
  const { code, syscall } = readSystemError(failure);
  const atConnect = code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo';
  return atConnect ? (UNSENT_CODES.get(code) ?? null) : null;
}

function readSystemError(error: unknown): { code: string; syscall: string } {
  if (!(error instanceof Error)) return { code: '', syscall: '' };
  const { code, syscall } = error as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : '', syscall: typeof syscall === 'string' ? syscall : '' };
}

/** An error and what caused it, for a log. */
export function describeError(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const { code } = readSystemError(cause);
  if (cause === undefined) return errorMessage(error);
  return `${errorMessage(error)}: ${code === '' ? '' : `${code} `}${errorMessage(cause)}`;
}
