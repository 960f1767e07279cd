import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SharedSession } from '../../../../src/store/connection/shared-session.mjs';
import { queryMessage, readResponse, simpleQueryText } from '../../../../src/store/connection/wire.mjs';

/** A session that knows transactions, LISTEN and NOTIFY, and nothing else. */
function createFakeSession() {
  const executed: string[] = [];
  let status = 'I';
  const message = (type: string, body: string) => {
    const head = Buffer.alloc(5);
    head.write(type, 0, 'latin1');
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, Buffer.from(body)]);
  };
  return {
    executed,
    execute(unit: Uint8Array): Uint8Array {
      const sql = simpleQueryText(Buffer.from(unit)) ?? '';
      executed.push(sql);
      if (sql === 'BEGIN') status = 'T';
      if (sql === 'FAIL' && status === 'T') status = 'E';
      if (sql === 'COMMIT' || sql === 'ROLLBACK') status = 'I';
      const tag = message('C', `${sql.split(' ').at(-2) ?? sql}\0`);
      const notification = sql === 'NOTIFY x' ? [message('A', 'news')] : [];
      return Buffer.concat([
        message('C', sql.endsWith('LISTEN x') ? 'LISTEN\0' : tag.toString()),
        ...notification,
        message('Z', status),
      ]);
    },
  };
}

describe('a session shared by several connections', () => {
  let database: ReturnType<typeof createFakeSession>;
  let replies: Array<{ id: number; text: string }>;
  let dropped: number[];
  let session: SharedSession;
  const submit = (id: number, sql: string) => session.submit(id, queryMessage(sql));

  beforeEach(() => {
    vi.useFakeTimers();
    database = createFakeSession();
    replies = [];
    dropped = [];
    session = new SharedSession({
      execute: database.execute,
      reply: (id, bytes) => replies.push({ id, text: Buffer.from(bytes).toString('latin1') }),
      drop: (id) => dropped.push(id),
      idleInTransactionMs: 1_000,
    });
  });
  afterEach(() => vi.useRealTimers());

  it('runs statements in the order they came', () => {
    submit(1, 'a');
    submit(2, 'b');
    submit(1, 'c');
    expect(database.executed).toEqual(['a', 'b', 'c']);
    expect(replies.map(({ id }) => id)).toEqual([1, 2, 1]);
  });

  it('lets nobody between the statements of a transaction', () => {
    submit(1, 'BEGIN');
    submit(2, 'other');
    submit(1, 'mine');
    expect(database.executed).toEqual(['BEGIN', 'mine']);
    submit(1, 'COMMIT');
    expect(database.executed).toEqual(['BEGIN', 'mine', 'COMMIT', 'other']);
  });

  it('keeps the session for a transaction that has failed until it is rolled back', () => {
    submit(1, 'BEGIN');
    submit(1, 'FAIL');
    submit(2, 'other');
    expect(database.executed).not.toContain('other');
    submit(1, 'ROLLBACK');
    expect(database.executed.at(-1)).toBe('other');
  });

  it('gives waiting transactions their turn one after the other', () => {
    for (const id of [1, 2, 3]) submit(id, 'BEGIN');
    for (const id of [1, 2, 3]) {
      submit(id, `work of ${id}`);
      submit(id, 'COMMIT');
    }
    expect(database.executed).toEqual([1, 2, 3].flatMap((id) => ['BEGIN', `work of ${id}`, 'COMMIT']));
  });

  it('rolls back what a closed connection left open, and goes on with the others', () => {
    submit(1, 'BEGIN');
    submit(2, 'other');
    session.close(1);
    expect(database.executed).toEqual(['BEGIN', 'ROLLBACK', 'other']);
  });

  it('forgets the statements that a closed connection was waiting with', () => {
    submit(1, 'BEGIN');
    submit(2, 'never');
    session.close(2);
    submit(1, 'COMMIT');
    expect(database.executed).toEqual(['BEGIN', 'COMMIT']);
  });

  it('ends a transaction that waits too long for its next statement', () => {
    submit(1, 'BEGIN');
    submit(2, 'other');
    vi.advanceTimersByTime(999);
    expect(dropped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(dropped).toEqual([1]);
    expect(database.executed).toEqual(['BEGIN', 'ROLLBACK', 'other']);
    expect(replies.find(({ id, text }) => id === 1 && text.includes('25P03'))).toBeDefined();
  });

  it('leaves a transaction alone whose statements keep coming', () => {
    submit(1, 'BEGIN');
    for (let statement = 0; statement < 5; statement++) {
      vi.advanceTimersByTime(900);
      submit(1, 'work');
    }
    submit(1, 'COMMIT');
    vi.advanceTimersByTime(5_000);
    expect(dropped).toEqual([]);
  });

  it('hands a notification to those who listen, behind comments too, and to nobody else', () => {
    submit(1, '-- wakes workers\nLISTEN x');
    submit(2, 'NOTIFY x');
    const told = replies.filter(({ text }) => text.includes('news')).map(({ id }) => id);
    expect(told).toEqual([1]);
  });

  it('lets nobody wait for a connection that merely listens', () => {
    submit(1, 'LISTEN x');
    submit(2, 'BEGIN');
    submit(2, 'COMMIT');
    expect(database.executed).toEqual(['LISTEN x', 'BEGIN', 'COMMIT']);
  });

  it('tells a closed listener nothing more', () => {
    submit(1, 'LISTEN x');
    session.close(1);
    submit(2, 'NOTIFY x');
    expect(replies.some(({ text }) => text.includes('news'))).toBe(false);
  });

  it('refuses UNLISTEN, which would end the subscriptions of all', () => {
    submit(1, '/* no */ UNLISTEN *');
    expect(database.executed).toEqual([]);
    expect(replies[0]?.text).toContain('0A000');
  });

  it('fails loudly when the session stops answering', () => {
    const dead = new SharedSession({ execute: () => new Uint8Array(0), reply() {}, drop() {} });
    expect(() => dead.submit(1, queryMessage('select 1'))).toThrow('stopped answering');
    expect(readResponse(new Uint8Array(0)).status).toBeNull();
  });
});
