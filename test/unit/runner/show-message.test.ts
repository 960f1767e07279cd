import { describe, expect, it } from 'vitest';
import type { OutboxMessage } from '../../../src/domain/outbox.ts';
import type { Chat } from '../../../src/domain/ports/chat.ts';
import type { OutboxStore } from '../../../src/domain/ports/store.ts';
import { showOwed } from '../../../src/runner/show-message.ts';
import { owedStatus } from './owed-status.ts';

const OWED = owedStatus({ ts: '2.000002', wantedRev: 2, shownRev: 1, attempts: 1 });

/** A status message that is owed, in a Slack whose pace is what `pace` says when it is asked. */
function setUp(pace: { waitMs: number; isLive: boolean }, message: Partial<OutboxMessage> = {}) {
  const seen: string[] = [];
  const refuse = (): never => {
    throw new Error('not set up');
  };
  const outbox: OutboxStore = {
    ...{ add: refuse, get: refuse, touch: refuse, renew: refuse, releaseAll: refuse, due: refuse },
    claim: async () => ({ ...OWED, ...message }),
    shown: async (_id, { rev }) => void seen.push(`shown ${rev}`),
    failed: async (_id, { retryAfterMs }) => void seen.push(`due again in ${retryAfterMs}`),
  };
  const chat: Chat = {
    ...{ post: refuse, uploadText: refuse, findPosted: refuse, whisper: refuse, downloadImage: refuse },
    openStatus: refuse,
    update: async () => void seen.push('edited'),
    statusPace: () => ({ ...pace, limitedMs: 0 }),
  };
  const draw = async () => ({ kind: 'message' as const, content: { text: 'Working', blocks: [] } });
  const deps = { outbox, chat, draw, onThreadGone: refuse };
  return { seen, show: (isPaced: boolean) => showOwed(deps, { operationId: OWED.operationId, isPaced }) };
}

describe('a status message that is owed', () => {
  it('is edited when its interval has passed', async () => {
    const { seen, show } = setUp({ waitMs: 0, isLive: false });
    expect(await show(true)).toBe(0);
    expect(seen).toEqual(['edited', 'shown 2']);
  });

  it('stays owed when somebody has edited it while it was drawn', async () => {
    const { seen, show } = setUp({ waitMs: 264, isLive: false });
    expect(await show(true)).toBe(264);
    expect(seen).toEqual(['due again in 0']);
  });

  it('does not wait when it is hurried', async () => {
    const { seen, show } = setUp({ waitMs: 264, isLive: false });
    expect(await show(false)).toBe(0);
    expect(seen).toEqual(['edited', 'shown 2']);
  });

  it('is left to the writer that keeps it up to date', async () => {
    const { seen, show } = setUp({ waitMs: 264, isLive: true });
    expect(await show(true)).toBe(0);
    expect(seen).toEqual(['shown 2']);
  });

  it('is no other message: a card waits for no interval', async () => {
    const { seen, show } = setUp({ waitMs: 264, isLive: false }, { kind: 'card' });
    expect(await show(true)).toBe(0);
    expect(seen).toEqual(['edited', 'shown 2']);
  });
});
