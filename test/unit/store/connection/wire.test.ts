import { describe, expect, it } from 'vitest';
import {
  errorReply,
  queryMessage,
  readFirstPacket,
  readResponse,
  simpleQueryText,
  startupReply,
  takeUnits,
} from '../../../../src/store/connection/wire.mjs';

const message = (type: string, body = '') => {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const SYNC = message('S');
const READY = message('Z', 'I');
const parseBindExecute = Buffer.concat([message('P', 'select 1'), message('B', 'x'), message('E', 'y')]);

describe('units of work', () => {
  it('ends a unit at a simple query and at a Sync', () => {
    const query = queryMessage('select 1');
    const extended = Buffer.concat([parseBindExecute, SYNC]);
    expect(takeUnits(Buffer.concat([query, extended]))).toEqual({
      units: [query, extended],
      rest: Buffer.alloc(0),
      terminated: false,
    });
  });

  it('keeps back messages whose Sync has not arrived', () => {
    const { units, rest } = takeUnits(Buffer.concat([queryMessage('begin'), parseBindExecute]));
    expect(units).toHaveLength(1);
    expect(rest).toEqual(parseBindExecute);
  });

  it('keeps back a message that is cut anywhere', () => {
    const query = queryMessage('select 1');
    for (let cut = 0; cut < query.length; cut++) {
      expect(takeUnits(query.subarray(0, cut))).toEqual({ units: [], rest: query.subarray(0, cut), terminated: false });
    }
  });

  it('notices that a client says goodbye', () => {
    expect(takeUnits(Buffer.concat([queryMessage('commit'), message('X')]))).toMatchObject({ terminated: true });
  });

  it('reads the text of simple queries only', () => {
    expect(simpleQueryText(queryMessage("select 'ü'"))).toBe("select 'ü'");
    expect(simpleQueryText(Buffer.concat([parseBindExecute, SYNC]))).toBeNull();
  });
});

describe('first packets', () => {
  const packet = (code: number, body = '') => {
    const head = Buffer.alloc(8);
    head.writeInt32BE(8 + body.length, 0);
    head.writeInt32BE(code, 4);
    return Buffer.concat([head, Buffer.from(body)]);
  };

  it('tells startup, SSL and other requests apart', () => {
    expect(readFirstPacket(packet(196_608, 'user\0me\0\0'))).toEqual({ kind: 'startup', rest: Buffer.alloc(0) });
    expect(readFirstPacket(packet(80_877_103))).toMatchObject({ kind: 'ssl' });
    expect(readFirstPacket(packet(80_877_102))).toMatchObject({ kind: 'other' });
  });

  it('waits for a packet that is cut, and leaves what comes after it', () => {
    const whole = packet(196_608, 'user\0me\0\0');
    expect(readFirstPacket(whole.subarray(0, 5))).toEqual({ kind: 'incomplete' });
    expect(readFirstPacket(whole.subarray(0, 12))).toEqual({ kind: 'incomplete' });
    expect(readFirstPacket(Buffer.concat([whole, SYNC]))).toEqual({ kind: 'startup', rest: SYNC });
  });
});

describe('answers', () => {
  it('reads status and statement tags', () => {
    const answer = Buffer.concat([message('C', 'LISTEN\0'), message('Z', 'T')]);
    expect(readResponse(answer)).toMatchObject({ status: 'T', commands: ['LISTEN'], notifications: [] });
    expect(readResponse(message('Z', 'E')).status).toBe('E');
    expect(readResponse(startupReply()).status).toBe('I');
  });

  it('has no status when the session did not say that it is ready', () => {
    expect(readResponse(message('C', 'SELECT 1\0')).status).toBeNull();
  });

  it('takes notifications out, wherever they stand', () => {
    const [first, second] = [message('A', 'one'), message('A', 'two')];
    const answer = Buffer.concat([first, message('C', 'COMMIT\0'), second, READY]);
    const { reply, notifications } = readResponse(answer);
    expect(notifications).toEqual([first, second]);
    expect(Buffer.from(reply)).toEqual(Buffer.concat([message('C', 'COMMIT\0'), READY]));
  });

  it('appends ReadyForQuery only to an error after which the connection goes on', () => {
    expect(readResponse(errorReply({ severity: 'FATAL', code: '25P03', text: 'gone' })).status).toBeNull();
    expect(readResponse(errorReply({ severity: 'ERROR', code: '0A000', text: 'no', ready: true })).status).toBe('I');
  });
});
