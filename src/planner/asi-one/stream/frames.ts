import { createParser } from 'eventsource-parser';
import { PLANNER_LIMITS } from '../limits.ts';

/** One server-sent event, before its data is read. */
export type Frame = { event: string | undefined; data: string };

/**
 * Cuts a byte stream into server-sent events: any line ending, comments, several `data:` lines, a leading BOM, and
 * splits anywhere, inside a UTF-8 character too.
 */
interface FrameReader {
  /** The events that these bytes complete; `too-large` when a bound is passed, after which nothing more is read. */
  push(bytes: Uint8Array): Frame[] | 'too-large';
  /** The events that the end of the stream completes: a last one may lack its blank line. */
  end(): Frame[];
  /** The text so far while no event was seen, for a body that is no event stream; null afterwards or if it is long. */
  rawText(): string | null;
}

export function createFrameReader(): FrameReader {
  const decoder = new TextDecoder();
  let frames: Frame[] = [];
  let raw: string[] | null = [];
  let bytesSeen = 0;
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: PLANNER_LIMITS.eventChars,
    onEvent({ event, data }) {
      raw = null;
      frames.push({ event, data });
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') tooLarge = true;
    },
  });
  const feed = (text: string): Frame[] => {
    raw?.push(text);
    parser.feed(text);
    const complete = frames;
    frames = [];
    return complete;
  };
  return {
    push(bytes) {
      bytesSeen += bytes.byteLength;
      if (bytesSeen > PLANNER_LIMITS.eventChars) raw = null;
      const complete = tooLarge ? [] : feed(decoder.decode(bytes, { stream: true }));
      tooLarge ||= bytesSeen > PLANNER_LIMITS.streamBytes;
      tooLarge ||= complete.some(({ data }) => data.length > PLANNER_LIMITS.eventChars);
      return tooLarge ? 'too-large' : complete;
    },
    // A blank line completes whatever is pending, after a lone CR too.
    end: () => (tooLarge ? [] : feed(`${decoder.decode()}\n\n`)),
    rawText: () => (raw === null ? null : raw.join('')),
  };
}
