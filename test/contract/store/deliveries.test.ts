import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/domain/card.ts';
import { answerOperation, type NewOutboxMessage, runMessage, statusOperation } from '../../../src/domain/outbox.ts';
import type { InboxEntry } from '../../../src/domain/ports/store.ts';
import { admitOne, startOne } from './build.ts';
import { onEachDatabase } from './on-each-database.ts';

const LEASE_MS = 60_000;

function notice(operationId: string, fields: Partial<NewOutboxMessage> = {}): NewOutboxMessage {
  return {
    operationId,
    kind: 'notice',
    channelId: 'C1',
    threadTs: null,
    runId: null,
    pauseId: null,
    part: 0,
    parts: 1,
    text: 'Hello',
    card: null,
    ...fields,
  };
}

function delivery(key: string): InboxEntry {
  return { key, kind: 'message', body: { event: { text: `text of ${key}`, nested: [1, { a: null }] } } };
}

onEachDatabase('outbox', (database) => {
  const outbox = () => database.store.outbox;

  it('keeps a message as it was first added', async () => {
    await outbox().add(notice('n1', { text: 'a\0b' }));
    await outbox().add(notice('n1', { text: 'other' }));
    await outbox().add(notice('n2'));
    expect(await outbox().get('n1')).toEqual({
      ...notice('n1', { text: 'ab' }),
      ts: null,
      wantedRev: 1,
      shownRev: 0,
      attempts: 0,
    });
    expect(await outbox().get('nothing')).toBeNull();
    expect(await outbox().due(10)).toEqual(['n1', 'n2']);
    expect(await outbox().due(1)).toEqual(['n1']);
  });

  it('is claimed by one of many', async () => {
    await outbox().add(notice('n1'));
    const claims = await Promise.all(Array.from({ length: 10 }, () => outbox().claim('n1', LEASE_MS)));
    expect(claims.filter((claimed) => claimed !== null)).toEqual([expect.objectContaining({ attempts: 1 })]);
    expect(await outbox().due(10)).toEqual([]);
    expect(await outbox().claim('nothing', LEASE_MS)).toBeNull();
  });

  it('is claimed again when the lease of a crashed delivery has run out', async () => {
    await outbox().add(notice('n1'));
    await outbox().claim('n1', LEASE_MS);
    await database.pool.query(`update steward.outbox set lease_until = now() - interval '1 ms'`);
    expect(await outbox().due(10)).toEqual(['n1']);
    expect(await outbox().claim('n1', LEASE_MS)).toMatchObject({ attempts: 2, ts: null });
  });

  it('is owed no more once shown', async () => {
    await outbox().add(notice('n1'));
    await outbox().claim('n1', LEASE_MS);
    await outbox().shown('n1', { ts: '1.1', rev: 1 });
    expect(await outbox().get('n1')).toMatchObject({ ts: '1.1', shownRev: 1, wantedRev: 1, attempts: 0 });
    expect(await outbox().due(10)).toEqual([]);
    expect(await outbox().claim('n1', LEASE_MS)).toBeNull();
  });

  it('is owed again when the run changes while it is being shown', async () => {
    const run = await admitOne(database.store);
    const operationId = statusOperation(run.id);
    const claimed = await outbox().claim(operationId, LEASE_MS);
    await database.store.runs.requestStop(run.id, 'U1');
    await outbox().shown(operationId, { ts: '1.1', rev: claimed?.wantedRev ?? 0 });
    expect(await outbox().due(10)).toEqual([operationId]);
  });

  it('keeps what a card that only informs shows, and nothing beside it in other messages', async () => {
    const card: Card = {
      cardKind: 'custom',
      title: 'Booked',
      items: [{ type: 'row', label: 'Seat', value: '12\0A' }],
      choices: [],
      fields: [],
      notUnderstood: [],
    };
    await outbox().add(notice('c1', { kind: 'info_card', text: null, card }));
    const kept = { ...card, items: [{ type: 'row', label: 'Seat', value: '12A' }] };
    expect(await outbox().claim('c1', LEASE_MS)).toMatchObject({ kind: 'info_card', text: null, card: kept });
    await expect(outbox().add(notice('c2', { kind: 'info_card', text: null }))).rejects.toThrow('has_card');
    await expect(outbox().add(notice('c3', { card }))).rejects.toThrow('has_card');
  });

  it('notes what a card said when it is shown, and only then', async () => {
    await outbox().add(notice('n1', { runId: 'r1' }));
    const said = {
      kind: 'card_shown',
      runId: 'r1',
      pauseId: 'p1',
      actorId: null,
      reason: 'card',
      details: { rev: 1 },
    } as const;
    const noted = async () => (await database.store.audit.list('r1')).map(({ at: _at, ...entry }) => entry);
    const before = await noted();
    await outbox().claim('n1', LEASE_MS);
    await outbox().failed('n1', { reason: 'ratelimited', retryAfterMs: 0 });
    expect(await noted()).toEqual(before);
    await outbox().shown('n1', { ts: '1.1', rev: 1, said });
    await outbox().shown('n1', { ts: '1.1', rev: 1 });
    expect(await noted()).toEqual([...before, said]);
    await expect(outbox().shown('n1', { ts: '1.1', rev: 2, said: { ...said, kind: 'pruned' } })).rejects.toThrow(
      'marker',
    );
    expect(await outbox().get('n1')).toMatchObject({ shownRev: 1 });
  });

  it('never lowers what is shown', async () => {
    await outbox().add(notice('n1'));
    await outbox().shown('n1', { ts: '1.1', rev: 3 });
    await outbox().shown('n1', { ts: '1.1', rev: 2 });
    expect(await outbox().get('n1')).toMatchObject({ shownRev: 3 });
  });

  it('waits after a failure as long as it is told', async () => {
    await outbox().add(notice('n1'));
    await outbox().add(notice('n2'));
    await outbox().claim('n1', LEASE_MS);
    await outbox().failed('n1', { reason: 'ratelimited', retryAfterMs: LEASE_MS });
    expect(await outbox().due(10)).toEqual(['n2']);
    expect(await outbox().claim('n1', LEASE_MS)).toBeNull();
    await database.pool.query(`update steward.outbox set next_attempt_at = now() - interval '1 ms'`);
    expect(await outbox().due(10)).toEqual(['n1', 'n2']);
    expect(await outbox().claim('n1', LEASE_MS)).toMatchObject({ attempts: 2 });
  });

  it('is given up when refused for good, until it has something new to show', async () => {
    const { run, leg } = await startOne(database.store);
    const operationId = statusOperation(run.id);
    await outbox().claim(operationId, LEASE_MS);
    await outbox().failed(operationId, { reason: 'is_archived', retryAfterMs: null });
    expect(await outbox().due(10)).toEqual([]);
    expect(await outbox().claim(operationId, LEASE_MS)).toBeNull();
    await database.store.runs.endLeg(leg, { state: 'completed' });
    expect(await outbox().due(10)).toEqual([operationId]);
  });

  it("posts an answer's parts in their order, one after the other", async () => {
    const { run, leg } = await startOne(database.store);
    const parts = [0, 1, 2].map((part) =>
      runMessage(run, { operationId: answerOperation(run.id, part), kind: 'answer', part }),
    );
    await outbox().shown(statusOperation(run.id), { ts: '1.0', rev: 99 });
    await database.store.runs.endLeg(leg, { state: 'completed', messages: parts.toReversed() });
    for (const [part, message] of parts.entries()) {
      expect(await outbox().due(10)).toEqual([message.operationId]);
      if (part < 2) expect(await outbox().claim(answerOperation(run.id, part + 1), LEASE_MS)).toBeNull();
      expect(await outbox().claim(message.operationId, LEASE_MS)).not.toBeNull();
      await outbox().shown(message.operationId, { ts: `2.${part}`, rev: 1 });
    }
  });
});

onEachDatabase('inbox', (database, isShared) => {
  const inbox = () => database.store.inbox;
  const anyAge = { olderThanMs: 0, maxAttempts: 3, limit: 10 };

  it('tells which deliveries are new', async () => {
    const put = (...keys: string[]) => Promise.all(keys.map((key) => inbox().put(delivery(key))));
    expect(await put('a', 'b')).toEqual([true, true]);
    expect(await put('b', 'c', 'c')).toEqual([false, true, false]);
  });

  it('stores what arrives together with few statements, each key once', async () => {
    let statements = 0;
    const count = () => statements++;
    database.pool.on('acquire', count);
    const keys = Array.from({ length: 150 }, (_, index) => `k${index % 100}`);
    const results = await Promise.all(keys.map((key) => inbox().put(delivery(key))));
    database.pool.off('acquire', count);
    expect(statements).toBeLessThanOrEqual(2);
    expect(results).toEqual(keys.map((_, index) => index < 100));
  });

  it('hands out unprocessed deliveries as they came, oldest first', async () => {
    await inbox().put(delivery('a'));
    await inbox().put(delivery('c'));
    await inbox().put(delivery('b'));
    await Promise.all(['c', 'nothing'].map((key) => inbox().markProcessed(key)));
    expect(await inbox().takeUnprocessed({ ...anyAge, olderThanMs: 60_000 })).toEqual([]);
    expect(await inbox().takeUnprocessed(anyAge)).toEqual([delivery('a'), delivery('b')]);
  });

  it('hands out a delivery a bounded number of times', async () => {
    await inbox().put(delivery('a'));
    for (let attempt = 0; attempt < 3; attempt++) expect(await inbox().takeUnprocessed(anyAge)).toHaveLength(1);
    expect(await inbox().takeUnprocessed(anyAge)).toEqual([]);
  });

  it('does not hand out one delivery twice in a short time', async () => {
    await inbox().put(delivery('a'));
    await database.pool.query(`update steward.inbox set received_at = now() - interval '1 hour'`);
    expect(await inbox().takeUnprocessed({ ...anyAge, olderThanMs: 60_000 })).toHaveLength(1);
    expect(await inbox().takeUnprocessed({ ...anyAge, olderThanMs: 60_000 })).toEqual([]);
  });

  it('lets a delivery rest twice as long after each attempt, up to ten minutes', async () => {
    await inbox().put(delivery('a'));
    const dueAfter = async (attempts: number, restMs: number) => {
      await database.pool.query("update steward.inbox set attempts = $1, taken_at = now() - $2 * interval '1 ms'", [
        attempts,
        restMs,
      ]);
      return (await inbox().takeUnprocessed({ ...anyAge, maxAttempts: 30, olderThanMs: 10_000 })).length === 1;
    };
    expect(await dueAfter(1, 15_000)).toBe(false);
    expect(await dueAfter(1, 21_000)).toBe(true);
    expect(await dueAfter(3, 79_000)).toBe(false);
    expect(await dueAfter(29, 601_000)).toBe(true);
  });

  it('drops old processed deliveries and keeps the rest', async () => {
    await inbox().put(delivery('a'));
    await inbox().put(delivery('b'));
    await inbox().markProcessed('a');
    expect(await inbox().prune(new Date(0))).toBe(0);
    expect(await inbox().prune(new Date(Date.now() + 60_000))).toBe(1);
    expect(await inbox().takeUnprocessed(anyAge)).toEqual([delivery('b')]);
  });

  it('takes bodies that PostgreSQL could not store', async () => {
    await inbox().put({ key: 'odd', kind: 'command', body: { 'a\0': ['x\0y', '\udc00', '\\u0000'] } });
    const [taken] = await inbox().takeUnprocessed(anyAge);
    expect(taken).toEqual({ key: 'odd', kind: 'command', body: { a: ['xy', '\ufffd', '\\u0000'] } });
  });

  it.runIf(isShared)('stores a delivery once when two processes get it', async () => {
    const other = await database.openOther();
    const keys = Array.from({ length: 200 }, (_, index) => `k${index}`);
    const results = await Promise.all([
      ...keys.map((key) => inbox().put(delivery(key))),
      ...keys.toReversed().map((key) => other.inbox.put(delivery(key))),
    ]);
    expect(results.filter((isNew) => isNew)).toHaveLength(keys.length);
  });
});

onEachDatabase('audit and health', (database) => {
  it('lists who tried what, in order', async () => {
    const entry = { kind: 'click_refused', runId: 'r1', pauseId: 'p1', actorId: 'U2', reason: 'not yours' } as const;
    await database.store.audit.append(entry);
    await database.store.audit.append({ ...entry, kind: 'expired', pauseId: null });
    await database.store.audit.append({ ...entry, runId: 'r2' });
    expect(await database.store.audit.list('r1')).toEqual([
      { ...entry, at: expect.any(Date) },
      { ...entry, kind: 'expired', pauseId: null, at: expect.any(Date) },
    ]);
  });

  describe('ping', () => {
    it('resolves while the database answers', async () => {
      await expect(database.store.ping()).resolves.toBeUndefined();
    });
  });
});
