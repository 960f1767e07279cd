import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery, TakeDelivery } from '../../../src/intake/inbox/delivery.ts';
import { reconnectWaitMs } from '../../../src/intake/socket/socket-connection.ts';
import { createSocketReceiver, type SocketReceiver } from '../../../src/intake/socket/socket-receiver.ts';
import { socketClientFactory } from '../../../src/intake/socket/steady-socket-client.ts';
import { OPEN_SOCKET, toSlackError } from '../../../src/slack/map-error.ts';
import { createSdkLogger } from '../../../src/slack/sdk-logger.ts';
import { eventually } from './fakes/eventually.ts';
import { createMemoryLogger } from './fakes/memory-logger.ts';
import { eventBody, mentionEvent } from './fakes/payloads.ts';
import { createSocketSlack, type SocketSlack } from './fakes/socket-slack.ts';

let slack: SocketSlack;
let receiver: SocketReceiver;
let taken: Delivery[];
const logger = createMemoryLogger();

const toSocketError = (error: unknown) => toSlackError(error, OPEN_SOCKET);

function createReceiver(take: TakeDelivery): SocketReceiver {
  const sdkLogger = createSdkLogger(logger);
  const createClient = socketClientFactory({ appToken: 'xapp-1', apiUrl: slack.apiUrl, logger: sdkLogger });
  return createSocketReceiver({ createClient, connections: 2, take, toSocketError, logger });
}

beforeEach(async () => {
  slack = await createSocketSlack();
  taken = [];
  receiver = createReceiver(async (delivery) => {
    taken.push(delivery);
    await delivery.ack();
  });
});

afterEach(async () => {
  await receiver.stop();
  await slack.close();
});

const envelope = { type: 'events_api', envelope_id: 'e1', payload: eventBody(mentionEvent()) };

describe('the socket receiver', () => {
  it('opens two sockets, and takes what comes over either', async () => {
    await receiver.start();
    await slack.untilSockets(2);
    slack.send(slack.sockets[0], envelope);
    slack.send(slack.sockets[1], { ...envelope, envelope_id: 'e2', retry_attempt: 1, retry_reason: 'timeout' });
    await eventually('two acks', () => slack.acks.length === 2);
    expect(slack.acks.map((ack) => ack.envelope_id).sort()).toEqual(['e1', 'e2']);
    expect(taken.map((delivery) => delivery.body)).toEqual([envelope.payload, envelope.payload]);
  });

  it('sends no ack for what could not be taken', async () => {
    await receiver.stop();
    receiver = createReceiver(async (delivery) => {
      if (taken.push(delivery) === 1) throw new Error('disk full');
      await delivery.ack();
    });
    await receiver.start();
    slack.send(slack.sockets[0], envelope);
    await eventually('the first', () => taken.length === 1);
    slack.send(slack.sockets[0], { ...envelope, envelope_id: 'e2' });
    await eventually('an ack', () => slack.acks.length > 0);
    expect(slack.acks.map((ack) => ack.envelope_id)).toEqual(['e2']);
  });

  it('sends the content of an ack', async () => {
    await receiver.stop();
    receiver = createReceiver((delivery) => delivery.ack({ response_action: 'clear' }));
    await receiver.start();
    slack.send(slack.sockets[0], { type: 'interactive', envelope_id: 'e3', payload: { type: 'view_submission' } });
    await eventually('an ack', () => slack.acks.length === 1);
    expect(slack.acks[0]).toEqual({ envelope_id: 'e3', payload: { response_action: 'clear' } });
  });

  it('replaces a socket that Slack asks it to give up', async () => {
    await receiver.start();
    await slack.untilSockets(2);
    slack.send(slack.sockets[0], { type: 'disconnect', reason: 'refresh_requested' });
    await eventually('a third socket', () => slack.opened === 3);
    await slack.untilSockets(2);
    receiver.check();
  });

  it('replaces a socket that breaks', async () => {
    await receiver.start();
    await slack.untilSockets(2);
    slack.sockets[0]?.terminate();
    await eventually('a third socket', () => slack.opened === 3);
  });

  it('lives through an envelope that it cannot read', async () => {
    await receiver.start();
    slack.send(slack.sockets[0], { type: 'events_api', envelope_id: 'e4', payload: { type: 'app_rate_limited' } });
    slack.send(slack.sockets[0], envelope);
    await eventually('the next ack', () => slack.acks.some((ack) => ack.envelope_id === 'e1'));
  });

  it.each([
    { status: 500, error: 'internal_error' },
    { status: 200, error: 'invalid_auth' },
    { status: 200, error: 'fatal_error' },
  ])('starts without Slack ($error), says that it is not ready, and connects when Slack is back', async (refusal) => {
    slack.refuseWith(refusal);
    await receiver.start();
    expect(() => receiver.check()).toThrow('No Socket Mode connection');
    slack.refuseWith(null);
    await slack.untilSockets(2);
    await eventually('ready', () => {
      try {
        receiver.check();
        return true;
      } catch {
        return false;
      }
    });
  });

  it('closes its sockets when stopped, and opens no others', async () => {
    await receiver.start();
    await slack.untilSockets(2);
    await receiver.stop();
    await slack.untilSockets(0);
    expect(() => receiver.check()).toThrow('No Socket Mode connection');
    expect(slack.opened).toBe(2);
  });

  it('can be stopped while it is connecting', async () => {
    const started = receiver.start();
    await receiver.stop();
    await started;
    await slack.untilSockets(0);
  });
});

describe('the wait before a reconnect', () => {
  it('is nothing after a good life, and grows with failures up to half a minute', () => {
    expect(reconnectWaitMs(0, () => 1)).toBe(0);
    expect(reconnectWaitMs(1, () => 0)).toBe(125);
    expect(reconnectWaitMs(3, () => 1)).toBe(1_000);
    expect(reconnectWaitMs(50, () => 1)).toBe(30_000);
  });
});
