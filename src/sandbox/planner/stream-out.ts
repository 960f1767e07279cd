import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';

/**
 * Where a leg's bytes go. Owns one HTTP response: closed → open (headers sent) → ended or broken.
 *
 * `split` and `lineEnd` hold from the call on. `line` writes one line and its end.
 */
export type StreamOut = {
  open(): void;
  write(text: string): Promise<void>;
  event(json: unknown): Promise<void>;
  comment(text: string): Promise<void>;
  done(): Promise<void>;
  split(bytes: number): void;
  setLineEnd(lineEnd: string): void;
  end(): void;
  destroy(): void;
  refuse(answer: { status: number; headers: Record<string, string>; body: string }): void;
};

/** Server-sent events over a response; waits for a slow reader; every piece is a write of its own. */
export function createStreamOut(response: ServerResponse, signal: AbortSignal): StreamOut {
  let splitBytes = 0;
  let lineEnd = '\n';

  async function send(bytes: Buffer): Promise<void> {
    if (signal.aborted) throw signal.reason;
    if (!response.write(bytes)) await once(response, 'drain', { signal });
  }
  async function write(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    if (splitBytes === 0) return send(bytes);
    for (let at = 0; at < bytes.length; at += splitBytes) {
      await send(bytes.subarray(at, at + splitBytes));
      await nextTick();
    }
  }
  const frame = (line: string) => write(`${line}${lineEnd}${lineEnd}`);

  return {
    open() {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
      response.flushHeaders();
    },
    write,
    event: (json) => frame(`data: ${JSON.stringify(json)}`),
    comment: (text) => frame(`: ${text}`),
    done: () => frame('data: [DONE]'),
    split: (bytes) => {
      splitBytes = bytes;
    },
    setLineEnd: (next) => {
      lineEnd = next;
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
    refuse({ status, headers, body }) {
      response.writeHead(status, headers).end(body);
    },
  };
}

/** For a request without `stream`: nothing goes out until the end, then `answer()` as JSON. */
export function createWholeOut(response: ServerResponse, answer: () => unknown): StreamOut {
  const silent = async () => {};
  return {
    open() {},
    write: silent,
    event: silent,
    comment: silent,
    done: silent,
    split() {},
    setLineEnd() {},
    end: () => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer())),
    destroy: () => void response.destroy(),
    refuse({ status, headers, body }) {
      response.writeHead(status, headers).end(body);
    },
  };
}
