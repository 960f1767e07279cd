import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ActionResult } from '../../../../src/domain/ports/run-commands.ts';
import { NO_TELEMETRY } from '../../../../src/domain/ports/telemetry.ts';
import type { Press } from '../../../../src/intake/actions/on-press.ts';
import { openModal } from '../../../../src/intake/actions/open-modal.ts';
import { createChat } from '../../../../src/slack/chat.ts';
import { createMemoryCommands } from '../fakes/memory-commands.ts';
import { createMemoryLogger } from '../fakes/memory-logger.ts';

/** Nothing listens at this address: what is not expected to call Slack says so in the log. */
const NOWHERE = 'http://127.0.0.1:9/api/';

function aPress() {
  const logger = createMemoryLogger();
  const pace = { editIntervalMs: 3_000, editsPerMinute: 45 };
  const { identity, views } = createChat({ token: 'x', apiUrl: NOWHERE, ...pace, logger, telemetry: NO_TELEMETRY });
  const told: string[] = [];
  const whisper = async ({ text }: { text: string }) => void told.push(text);
  const context = { actorId: 'U1', channelId: 'C1', messageTs: '1.2' };
  const press: Press = {
    deps: { commands: createMemoryCommands(), identity, views, whisper, logger, now: () => new Date() },
    click: { context, threadTs: '1.1', actionId: 'card_choice_0', value: 'pause-1', triggerId: 't' },
    respond: () => Promise.reject(new Error('no response_url')),
    ack: async () => undefined,
  };
  return { press, told, logger };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('opens no placeholder for a decision that is only slow to be stored', async () => {
  const { press, told, logger } = aPress();
  let stored: (result: ActionResult) => void = () => undefined;
  const result = new Promise<ActionResult>((resolve) => {
    stored = resolve;
  });
  const pressed = openModal(press, Promise.resolve({ kind: 'decide', decide: () => result }));
  await vi.advanceTimersByTimeAsync(10_000);
  stored({ kind: 'expired' });
  await pressed;
  expect(told).toEqual([expect.stringContaining('time for an answer is over')]);
  expect(logger.lines).toEqual([]);
});

it('tells a refusal in the thread, and in no window, though the store takes most of a second', async () => {
  const { press, told, logger } = aPress();
  const slow = new Promise<ActionResult>((resolve) => setTimeout(() => resolve({ kind: 'expired' }), 900));
  const pressed = openModal(press, slow);
  await vi.advanceTimersByTimeAsync(2_000);
  await pressed;
  expect(told).toEqual([expect.stringContaining('time for an answer is over')]);
  expect(logger.lines).toEqual([]);
});
