import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as waitMs } from 'node:timers/promises';

const MAX_BYTES = 512 * 1024;
/** A file written to less long ago than this may be half of one: whoever copies it in pieces is at it still. */
const QUIET_MS = 150;

const NOT_UTF_8 = 'it is not UTF-8: save it as that';

type Wait = (ms: number) => Promise<unknown>;

/**
 * Reads a policy file: a regular one, of at most 512 KiB of UTF-8, that is not written to meanwhile: half a file can be
 * a policy too, and a laxer one. Opening does not wait, so that a pipe is refused and does not hold up every reload.
 *
 * @throws an Error whose message says why it cannot be read
 */
export async function readPolicyText(path: string, wait: Wait = waitMs): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return decode(await readWhole(file, wait));
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle, wait: Wait): Promise<Uint8Array> {
  const before = await file.stat();
  if (!before.isFile()) throw new Error('it is not a file');
  if (before.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
  // One more than there should be, so that growth shows, and no more than that, however it grows.
  const bytes = new Uint8Array(before.size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = (await file.read(bytes, length, bytes.length - length, length)).bytesRead;
  }
  const quietMs = Date.now() - before.mtimeMs;
  if (quietMs < QUIET_MS) await wait(QUIET_MS);
  const after = await file.stat();
  if (length !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new Error('it changed while it was read: reload once it is written');
  }
  return bytes.subarray(0, length);
}

function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark stays, so that the digest is that of the file.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // UTF-16 without its mark would pass.
    if (!text.includes('\0')) return text;
  } catch (error) {
    throw new Error(NOT_UTF_8, { cause: error });
  }
  throw new Error(NOT_UTF_8);
}
