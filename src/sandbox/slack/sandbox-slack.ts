import {
  type Courier,
  createCourier,
  type EventOptions,
  type RedeliverOptions,
  type SentEvent,
} from './delivery/courier.ts';
import type { DeliveryResult } from './delivery/delivery.ts';
import { createEcho } from './delivery/echo.ts';
import { createHttpTransport, type HttpTransport, type RawDelivery } from './delivery/http.ts';
import { signRequest } from './delivery/sign.ts';
import { createSocketTransport, type SocketTransport } from './delivery/socket-mode.ts';
import type { Faults } from './faults.ts';
import type { FileSetup, SandboxFile } from './files.ts';
import { closeServer, createForeignHost, type ForeignHost, listen } from './foreign-host.ts';
import { isJson, type Json } from './json.ts';
import { createPeopleClicks, type PeopleClicks } from './people/clicks.ts';
import { createSlashCommand, type SlashCommand } from './people/commands.ts';
import { createPeopleMessages, type PeopleMessages } from './people/messages.ts';
import { createPeopleModals, type PeopleModals } from './people/modals.ts';
import { createQueries, type Queries } from './queries.ts';
import { type ChannelSetup, resolveSetup, type SandboxSlackOptions, type Setup } from './setup.ts';
import { createState, type SandboxState } from './state.ts';
import { createApiServer } from './web-api/server.ts';
import type { Workspace } from './workspace.ts';

/**
 * A strict Slack on loopback: servers, people, and a memory of all that happened.
 *
 * It owns its HTTP server with the sockets on it, a second server as foreign host, and deliveries under way;
 * `close()` ends them all.
 */
export type SandboxSlack = PeopleMessages &
  PeopleClicks &
  PeopleModals &
  Queries &
  Pick<Faults, 'failNext' | 'limitNext' | 'delayNext'> &
  Pick<Workspace, 'changeUser' | 'setUserGroup'> & {
    setup: Setup;
    /** Base of the Web API, for `slackApiUrl`: `http://127.0.0.1:<port>/api/`. */
    apiUrl: string;
    /** `http://127.0.0.1:<port>`. */
    baseUrl: string;
    /** From now on events go to this URL over HTTP; null: over Socket Mode. */
    setEventsUrl(url: string | null): void;
    slashCommand(command: SlashCommand): Promise<DeliveryResult>;
    /** A file that exists without a message. */
    addFile(file: FileSetup, userId?: string): SandboxFile;
    /** Archives a channel, changes its members, … */
    changeChannel(id: string, change: Partial<Omit<ChannelSetup, 'id'>>): void;
    /** The id of the direct message conversation with a user. */
    dmOf(user: string): string;
    /** Sends an event of the test's own making, in a true envelope. */
    deliverEvent(event: Json, options?: EventOptions): Promise<DeliveryResult>;
    /** Sends events again: of a message (its ts) or of an event id. */
    redeliver(key: string, options?: RedeliverOptions): Promise<DeliveryResult[]>;
    sentEvents(): readonly SentEvent[];
    /** POSTs exactly this, unsigned unless the headers are signed; once, over HTTP. */
    deliverRaw(raw: RawDelivery): Promise<DeliveryResult>;
    /** Signature headers for a body; `timestampS` defaults to now. */
    sign(body: string, options?: { timestampS?: number; secret?: string }): Record<string, string>;
    /** Slack's check of an events URL; whether the challenge came back. */
    verifyUrl(): Promise<boolean>;
    /** Slack's certificate check of a command URL, unsigned. */
    sslCheck(): Promise<DeliveryResult>;
    /** Asks every socket to reconnect (`refresh_requested`). */
    refreshSockets(): void;
    /** Cuts every socket. */
    dropSockets(): void;
    /** Sockets that can take events. */
    socketCount(): number;
    /** A trigger id as if this user had just acted. */
    issueTrigger(userId: string): string;
    /** What the foreign host of redirected downloads was shown. */
    foreignRequests: ForeignHost['requests'];
    /** Resolves when no echo of the bot's own posts is on its way. */
    idle(): Promise<void>;
    close(): Promise<void>;
  };

type Ways = { http: HttpTransport; sockets: SocketTransport };

function rawDeliveries(state: SandboxState, http: HttpTransport) {
  const sign: SandboxSlack['sign'] = (body, { timestampS, secret } = {}) =>
    signRequest({
      body,
      secret: secret ?? state.setup.signingSecret,
      timestampS: timestampS ?? Math.floor(state.setup.now() / 1_000),
    });
  return {
    sign,
    deliverRaw: http.deliverRaw,
    async verifyUrl() {
      const challenge = state.ids.secret();
      const body = JSON.stringify({ type: 'url_verification', token: 'sandbox-verification-token', challenge });
      const answer = await http.deliverRaw({ body, headers: sign(body) });
      return answer.acked && (isJson(answer.body) ? answer.body.challenge : answer.body) === challenge;
    },
    sslCheck: () =>
      http.deliverRaw({ body: 'ssl_check=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  };
}

function controls(state: SandboxState, courier: Courier, { sockets }: Ways) {
  return {
    addFile: (file: FileSetup, userId?: string) => state.files.add(file, userId ?? state.setup.bot.userId),
    changeChannel: state.workspace.change,
    changeUser: state.workspace.changeUser,
    setUserGroup: state.workspace.setUserGroup,
    dmOf: (user: string) => state.workspace.openDm(user).id,
    deliverEvent: courier.event,
    redeliver: courier.redeliver,
    sentEvents: courier.sent,
    refreshSockets: sockets.refresh,
    dropSockets: sockets.drop,
    socketCount: sockets.readyCount,
    issueTrigger: (userId: string) => state.triggers.issue({ userId, viewId: null }),
    failNext: state.faults.failNext,
    limitNext: state.faults.limitNext,
    delayNext: state.faults.delayNext,
  };
}

/** Starts a sandbox Slack. Acts name nobody and nowhere by default: the first user in the first channel. */
export async function createSandboxSlack(options: SandboxSlackOptions = {}): Promise<SandboxSlack> {
  const state = createState(resolveSetup(options));
  const { setup } = state;
  let { eventsUrl } = setup;
  const defaults = { user: setup.users[0]?.id ?? '', channel: setup.channels[0]?.id ?? '' };

  const courier = createCourier({ state, transport: () => (eventsUrl === null ? ways.sockets : ways.http) });
  const echo = createEcho(state, courier);
  const server = createApiServer({ state, echo, socketUrl: () => ways.sockets.openUrl() });
  const requireUrl = () => {
    if (eventsUrl === null) throw new Error('The sandbox has no events URL: call setEventsUrl first');
    return eventsUrl;
  };
  const ways: Ways = {
    http: createHttpTransport({ state, eventsUrl: requireUrl }),
    sockets: createSocketTransport({ state, server }),
  };
  const foreign = await createForeignHost();
  state.foreignUrl = foreign.url;
  state.baseUrl = `http://127.0.0.1:${await listen(server, setup.port)}`;

  return {
    setup,
    apiUrl: `${state.baseUrl}/api/`,
    baseUrl: state.baseUrl,
    setEventsUrl(url) {
      eventsUrl = url;
    },
    ...createPeopleMessages({ state, courier, defaults }),
    ...createPeopleClicks({ state, courier, defaults }),
    ...createPeopleModals({ state, courier, defaults }),
    slashCommand: createSlashCommand({ state, courier, echo, defaults }),
    ...createQueries(state, defaults),
    ...controls(state, courier, ways),
    ...rawDeliveries(state, ways.http),
    foreignRequests: foreign.requests,
    idle: echo.idle,
    async close() {
      await Promise.all([ways.http.close(), ways.sockets.close(), foreign.close(), closeServer(server)]);
      await echo.idle();
    },
  };
}
