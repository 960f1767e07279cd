import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './answers/reading.ts';
import type { Message } from './messages.ts';
import type { EntryKind } from './sessions.ts';

/**
 * One request that reached the sandbox. Kept up to date while its answer goes out.
 *
 * `kind` is `refused` when it was turned away before any script played; `refusal` then says why. `state`: `open` while
 * the answer goes out, then `ended`, `cut` (on purpose), `refused` (an HTTP error, scripted or not) or `aborted` (the
 * client went first). Times are milliseconds since the epoch.
 */
export type RecordedRequest = {
  index: number;
  headers: IncomingHttpHeaders;
  body: unknown;
  sessionId: string | null;
  messages: Message[];
  kind: EntryKind | 'refused';
  scenario: string | null;
  leg: number | null;
  refusal: string | null;
  /** What a resume, or a retry of one, was understood to say; `words` for all else. */
  answer: Answer | null;
  state: 'open' | 'ended' | 'cut' | 'refused' | 'aborted';
  receivedAt: number;
  endedAt: number | null;
  /** `plan_state` events and answer text sent so far. */
  planEvents: number;
  text: string;
};

/** Everything that was asked, and a way to wait for more. */
export type RequestLog = {
  readonly requests: readonly RecordedRequest[];
  add(request: Omit<RecordedRequest, 'index'>): RecordedRequest;
  /** Says that a record has changed. */
  touch(): void;
  /** Resolves with the first truthy result of `predicate`, tried now and at every change; rejects with a listing. */
  waitFor<T>(
    predicate: (requests: readonly RecordedRequest[]) => T,
    options?: { timeoutMs?: number },
  ): Promise<NonNullable<T>>;
  clear(): void;
};

export function createRequestLog(): RequestLog {
  const requests: RecordedRequest[] = [];
  const watchers = new Set<() => void>();
  const touch = () => {
    for (const watch of [...watchers]) watch();
  };

  function waitFor<T>(
    predicate: (requests: readonly RecordedRequest[]) => T,
    { timeoutMs = 60_000 }: { timeoutMs?: number } = {},
  ): Promise<NonNullable<T>> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        watchers.delete(watch);
        clearTimeout(timer);
      };
      const watch = () => {
        try {
          const found = predicate(requests);
          if (!found) return;
          stop();
          resolve(found);
        } catch (error) {
          stop();
          reject(error);
        }
      };
      const timer = setTimeout(() => {
        stop();
        reject(
          new Error(`The sandbox planner waited ${timeoutMs} ms in vain. It has seen:\n${listRequests(requests)}`),
        );
      }, timeoutMs);
      watchers.add(watch);
      watch();
    });
  }

  return {
    requests,
    add(request) {
      const record = { ...request, index: requests.length };
      requests.push(record);
      touch();
      return record;
    },
    touch,
    waitFor,
    clear() {
      requests.length = 0;
    },
  };
}

function listRequests(requests: readonly RecordedRequest[]): string {
  if (requests.length === 0) return '  no request';
  return requests
    .map(({ index, kind, scenario, leg, state, refusal }) =>
      [`  #${index} ${kind}`, `scenario ${scenario ?? 'none'}`, `leg ${leg ?? '-'}`, state, refusal ?? ''].join(', '),
    )
    .join('\n');
}
