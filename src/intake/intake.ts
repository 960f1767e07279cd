import type { RequestListener } from 'node:http';
import type { Logger as SdkLogger } from '@slack/bolt';
import type { AckPressure } from '../async/ack-pressure.ts';
import type { BotIdentity } from '../domain/ports/bot-identity.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { RunCommands } from '../domain/ports/run-commands.ts';
import type { InboxStore } from '../domain/ports/store.ts';
import type { Telemetry } from '../domain/ports/telemetry.ts';
import type { SlackError } from '../errors.ts';
import { createBoltApp } from './bolt-app.ts';
import { createHttpListener } from './http/http-receiver.ts';
import { createDeliveries } from './inbox/deliveries.ts';
import type { TakeDelivery } from './inbox/delivery.ts';
import type { ListenerDeps } from './listener-deps.ts';
import { registerListeners } from './listeners.ts';
import { createSocketReceiver, type SocketReceiver } from './socket/socket-receiver.ts';
import { socketClientFactory } from './socket/steady-socket-client.ts';

export type IntakeOptions = {
  botToken: string;
  /** Needed for HTTP; unused in Socket Mode. */
  signingSecret: string | null;
  /** Set means Socket Mode, null means HTTP. */
  appToken: string | null;
  /** Base of the Web API, with a slash at its end. */
  apiUrl: string;
  inbox: InboxStore;
  commands: RunCommands;
  chat: Pick<ListenerDeps, 'whisper' | 'views'> & { identity: BotIdentity };
  logger: Logger;
  /** What Slack's libraries log through. */
  sdkLogger: SdkLogger;
  /** What a failure of Socket Mode's client means. */
  toSocketError: (error: unknown) => SlackError;
  telemetry: Telemetry;
  /** Shared with other work that shall make way for acks. */
  pressure: AckPressure;
  /** Age at which an unprocessed row is worked on again. Default 10,000 ms. */
  replayAfterMs?: number;
  now?: () => Date;
};

/**
 * Where Slack comes in. Owns Bolt, the sockets, and the deliveries under way.
 *
 * States: created → started → stopped.
 */
export interface Intake {
  /** Opens the sockets (Socket Mode). Slack being down delays nothing and fails nothing: it is tried again. */
  start(): Promise<void>;
  /** Takes nothing more, closes the sockets, and waits for deliveries under way. */
  stop(): Promise<void>;
  /** Answers `/slack/events`, for the process's HTTP server; null in Socket Mode. */
  httpListener: RequestListener | null;
  /** Works again on deliveries that a crash or a failure left behind; how many were tried. */
  replay(): Promise<number>;
  /** The same at once, for a process that knows itself to be alone: what is unprocessed now, nobody works on. */
  takeOver(): Promise<number>;
  /** Throws a `SlackError` when no socket is open. Never throws over HTTP. */
  checkSockets(): void;
}

/** Sockets kept open: one may be replaced while the other takes what comes. */
const CONNECTIONS = 2;

type Transport = { httpListener: RequestListener | null; sockets: SocketReceiver | null };

function createTransport(options: IntakeOptions, take: TakeDelivery): Transport {
  const { appToken, signingSecret, apiUrl, logger, sdkLogger, toSocketError } = options;
  if (appToken !== null) {
    const createClient = socketClientFactory({ appToken, apiUrl, logger: sdkLogger });
    return {
      httpListener: null,
      sockets: createSocketReceiver({ createClient, connections: CONNECTIONS, take, toSocketError, logger }),
    };
  }
  if (signingSecret === null) throw new TypeError('A signing secret is needed to take deliveries over HTTP.');
  return { httpListener: createHttpListener({ signingSecret, take, logger }), sockets: null };
}

/** Wires Bolt, its listeners, the durable inbox and one of the two transports. Calls nobody until started. */
export function createIntake(options: IntakeOptions): Intake {
  const { botToken, apiUrl, inbox, commands, logger, telemetry, pressure, now = () => new Date() } = options;
  const { whisper, views, identity } = options.chat;
  const app = createBoltApp({ botToken, apiUrl, identity, logger: options.sdkLogger });
  registerListeners(app, { commands, whisper, views, identity, logger, now });

  const deliveries = createDeliveries({
    inbox,
    process: (event) => app.processEvent(event),
    botUserId: () => identity.current()?.botUserId ?? null,
    pressure,
    logger,
    telemetry,
    ...(options.replayAfterMs !== undefined && { replayAfterMs: options.replayAfterMs }),
  });
  const { httpListener, sockets } = createTransport(options, deliveries.take);

  return {
    httpListener,
    async start() {
      await sockets?.start();
    },
    async stop() {
      await sockets?.stop();
      await deliveries.close();
    },
    replay: () => deliveries.replay(),
    takeOver: () => deliveries.replay(0),
    checkSockets: () => sockets?.check(),
  };
}
