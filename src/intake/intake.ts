import type { RequestListener } from 'node:http';
import type { Logger } from '../domain/ports/logger.ts';
import type { RunCommands } from '../domain/ports/run-commands.ts';
import type { InboxStore } from '../domain/ports/store.ts';
import type { Telemetry } from '../domain/ports/telemetry.ts';
import { errorMessage } from '../errors.ts';
import type { AckPressure } from './ack-pressure.ts';
import { createBoltApp } from './bolt-app.ts';
import { createBotIdentity, type Identity } from './bot-identity.ts';
import { createHttpListener } from './http/http-receiver.ts';
import { createDeliveries } from './inbox/deliveries.ts';
import type { TakeDelivery } from './inbox/delivery.ts';
import { registerListeners } from './listeners.ts';
import { createSdkLogger } from './sdk-logger.ts';
import { createSlackClient, type SlackClient } from './slack-client.ts';
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
  logger: Logger;
  telemetry: Telemetry;
  /** Shared with other work that shall make way for acks. Default: its own. */
  pressure?: AckPressure;
  /** Sockets kept open in Socket Mode. Default 2. */
  connections?: number;
  /** The store's time before an ack is given up. Default 2,500 ms. */
  storeWithinMs?: number;
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
  /** Throws a `SlackError` when no socket is open. Never throws over HTTP. */
  checkSockets(): void;
}

async function askWhoWeAre(slack: SlackClient): Promise<Identity> {
  const answer = await slack.auth.test();
  if (answer.user_id === undefined) throw new Error('Slack did not say who the bot is.');
  return { userId: answer.user_id, botId: answer.bot_id ?? null, teamId: answer.team_id ?? null };
}

type Transport = { httpListener: RequestListener | null; sockets: SocketReceiver | null };

function createTransport(options: IntakeOptions, take: TakeDelivery): Transport {
  const { appToken, signingSecret, apiUrl, logger, connections = 2 } = options;
  if (appToken !== null) {
    const createClient = socketClientFactory({ appToken, apiUrl, logger: createSdkLogger(logger) });
    return { httpListener: null, sockets: createSocketReceiver({ createClient, connections, take, logger }) };
  }
  if (signingSecret === null) throw new TypeError('A signing secret is needed to take deliveries over HTTP.');
  return { httpListener: createHttpListener({ signingSecret, take, logger }), sockets: null };
}

/** Wires Bolt, its listeners, the durable inbox and one of the two transports. Calls nobody until started. */
export function createIntake(options: IntakeOptions): Intake {
  const { botToken, apiUrl, inbox, commands, logger, telemetry, now = () => new Date() } = options;
  const sdkLogger = createSdkLogger(logger);
  const slack = createSlackClient({ botToken, apiUrl, logger: sdkLogger });
  const identity = createBotIdentity(() => askWhoWeAre(slack));
  const app = createBoltApp({ botToken, apiUrl, identity, logger: sdkLogger });
  registerListeners(app, { commands, slack, identity, logger, now });

  const { storeWithinMs, replayAfterMs, pressure } = options;
  const deliveries = createDeliveries({
    inbox,
    process: (event) => app.processEvent(event),
    botUserId: () => identity.current()?.userId ?? null,
    ...(pressure === undefined ? {} : { pressure }),
    logger,
    telemetry,
    ...(storeWithinMs === undefined ? {} : { storeWithinMs }),
    ...(replayAfterMs === undefined ? {} : { replayAfterMs }),
  });
  const { httpListener, sockets } = createTransport(options, deliveries.take);

  return {
    httpListener,
    async start() {
      // Not waited for: bodies usually say who the bot is, and whoever needs to know asks again.
      identity.resolve().catch((error: unknown) => {
        logger.warn({ error: errorMessage(error) }, 'bot_identity_unknown');
      });
      await sockets?.start();
    },
    async stop() {
      await sockets?.stop();
      await deliveries.close();
    },
    replay: () => deliveries.replay(),
    checkSockets: () => sockets?.check(),
  };
}
