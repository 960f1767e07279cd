import type { Changes } from './changes.ts';
import type { Json } from './json.ts';

/** A call that the app made, with its outcome. The token is left out of `args`. */
export type SandboxCall = {
  /** A Web API method, or `response_url`, `upload`, `download`. */
  method: string;
  args: Json;
  atMs: number;
  /** HTTP status of the answer; null while it runs, or if the connection was dropped. */
  status: number | null;
  ok: boolean;
  error: string | null;
};

export type CallLog = {
  /** Notes a call; the returned function notes its outcome. */
  start(method: string, args: Json): (outcome: Pick<SandboxCall, 'status' | 'ok' | 'error'>) => void;
  of(method?: string): SandboxCall[];
};

/** Creates the log of the app's calls. */
export function createCallLog(input: { now: () => number; changes: Changes }): CallLog {
  const calls: SandboxCall[] = [];
  return {
    start(method, { token: _token, ...args }) {
      const call: SandboxCall = { method, args, atMs: input.now(), status: null, ok: false, error: null };
      calls.push(call);
      input.changes.notify();
      return (outcome) => {
        Object.assign(call, outcome);
        input.changes.notify();
      };
    },
    of: (method) => calls.filter((call) => method === undefined || call.method === method).map((call) => ({ ...call })),
  };
}
