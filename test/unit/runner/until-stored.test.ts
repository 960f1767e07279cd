import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../src/domain/ports/logger.ts';
import { StewardError } from '../../../src/errors.ts';
import { untilStored } from '../../../src/runner/until-stored.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

function away(retryable = true): StewardError {
  return new StewardError('The database is away.', { code: 'store_unavailable', retryable });
}

/** A write that fails with these errors first. */
function writeAfter(failures: unknown[]): () => Promise<string> {
  return async () => {
    if (failures.length > 0) throw failures.shift();
    return 'stored';
  };
}

describe('a write while the store is away', () => {
  it('is repeated with growing waits until it passes', async () => {
    const waits: number[] = [];
    const write = writeAfter(Array.from({ length: 7 }, () => away()));
    const waitFor = async (ms: number) => void waits.push(ms);
    expect(await untilStored({ logger: silent, liveLegs: { isClosed: false }, waitFor }, write)).toBe('stored');
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('is not repeated for an error that does not pass', async () => {
    const options = { logger: silent, liveLegs: { isClosed: false } };
    await expect(untilStored(options, writeAfter([away(false)]))).rejects.toThrow('away');
    await expect(untilStored(options, writeAfter([new TypeError('a fault of ours')]))).rejects.toThrow('ours');
  });

  it('is not repeated by a process that stops', async () => {
    const options = { logger: silent, liveLegs: { isClosed: true } };
    await expect(untilStored(options, writeAfter([away()]))).rejects.toThrow('away');
  });
});
