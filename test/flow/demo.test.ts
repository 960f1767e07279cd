import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/sandbox/demo/demo.ts';

let dataDir: string;
let demo: Demo;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'steward-demo-'));
});

afterEach(async () => {
  await demo.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('the demo goes from a mention over a question, a payment and a card to the answer, and leaves no process', async () => {
  const lines: string[] = [];
  demo = await startDemo({ write: (line) => lines.push(line), dataDir });
  await demo.ready;
  const result = await demo.ask('Find a venue in Lisbon', {
    timeoutMs: 60_000,
    mustAsk: ['question', 'payment', 'card'],
  });
  expect(result.summary).toMatch(
    /^Answered in .*: first status after .*, \d+ edits .*, \d\d plan deltas folded, answered by the demo: question, payment, card\.$/,
  );
  const printed = lines.join('\n');
  expect(printed).toContain('@Steward Find a venue in Lisbon');
  expect(printed).toContain('it clicks "Lowest price"');
  expect(printed).toContain('a window opens: Approve a payment');
  expect(printed).toContain('it clicks "Take Parque Hall"');
  expect(printed).toContain('## Parque Hall is yours to book');
  expect(printed).not.toContain('secret_never_show');
  await demo.stop();
  expect(() => process.kill(demo.botPid, 0)).toThrow('ESRCH');
}, 120_000);

test('the demo tells why the bot ended', async () => {
  demo = await startDemo({ write: () => undefined, dataDir: '/dev/null/nowhere' });
  await expect(demo.ready).rejects.toThrow(
    /The bot ended \(1\)\. The bot last said:\nDATA_DIR \S+ cannot be written to/,
  );
});
