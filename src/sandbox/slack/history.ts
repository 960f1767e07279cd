import type { Changes } from './changes.ts';
import type { SandboxFile } from './files.ts';
import { copyJson, type Json } from './json.ts';

export type MessageMetadata = { event_type: string; event_payload: Json };

/** What a message said at one time. The first version is the post, each later one an edit. */
export type MessageVersion = {
  text: string;
  blocks: readonly Json[];
  metadata: MessageMetadata | null;
  /** How Slack reads raw names and links in `text`: postMessage defaults to `none`, every chat.update to `client`. */
  parse: string;
  linkNames: boolean;
  atMs: number;
};

/** A message with all that ever happened to it. */
export type SandboxMessage = MessageVersion & {
  channel: string;
  ts: string;
  threadTs: string | null;
  subtype: string | null;
  userId: string;
  botId: string | null;
  teamId: string;
  clientMsgId: string | null;
  /** Set on ephemeral messages: the only user who sees it. */
  ephemeralFor: string | null;
  /** The answer of a link unfurl, as attachments. */
  attachments: readonly Json[];
  files: readonly SandboxFile[];
  unfurlLinks: boolean | null;
  unfurlMedia: boolean | null;
  edited: { user: string; ts: string } | null;
  deleted: boolean;
  /** Oldest first; the last one equals the present state. */
  versions: readonly MessageVersion[];
};

export type NewMessage = Pick<SandboxMessage, 'channel' | 'ts' | 'userId' | 'teamId' | 'text'> &
  Partial<Omit<SandboxMessage, 'versions' | 'atMs'>>;

export type MessageEdit = Partial<Pick<MessageVersion, 'text' | 'blocks' | 'metadata' | 'parse' | 'linkNames'>> & {
  /** What the edit shows as editor; absent for changes that people do not call an edit (an unfurl). */
  edited?: { user: string; ts: string };
};

/** All messages of the workspace, ephemeral ones included, in the order of their posting. */
export type History = {
  add(message: NewMessage): SandboxMessage;
  edit(message: SandboxMessage, edit: MessageEdit): SandboxMessage;
  unfurl(message: SandboxMessage, attachments: readonly Json[]): SandboxMessage;
  remove(message: SandboxMessage): SandboxMessage;
  /** A message that is not deleted. Ephemeral messages are found only with `ephemeral: true`. */
  find(at: { channel: string; ts: string; ephemeral?: boolean }): SandboxMessage | undefined;
  /** Messages that stand in a channel, roots and replies, oldest first. */
  inChannel(channel: string): SandboxMessage[];
  /** The root and the replies that stand, oldest first. */
  inThread(at: { channel: string; threadTs: string }): SandboxMessage[];
  ephemerals(): SandboxMessage[];
  /** Everything, deleted messages too. */
  all(): readonly SandboxMessage[];
};

function versionOf(message: MessageVersion): MessageVersion {
  const { text, blocks, metadata, parse, linkNames, atMs } = message;
  return { text, blocks, metadata, parse, linkNames, atMs };
}

function freshMessage(input: NewMessage, atMs: number): SandboxMessage {
  const message = {
    threadTs: null,
    subtype: null,
    botId: null,
    clientMsgId: null,
    ephemeralFor: null,
    attachments: [],
    files: [],
    blocks: [],
    metadata: null,
    parse: 'none',
    linkNames: false,
    unfurlLinks: null,
    unfurlMedia: null,
    edited: null,
    deleted: false,
    ...copyJson(input),
    atMs,
  };
  return { ...message, versions: [versionOf(message)] };
}

/** Creates an empty history. Every change makes a new object: what a test holds stays as it was. */
export function createHistory(input: { now: () => number; changes: Changes }): History {
  const byKey = new Map<string, SandboxMessage>();
  /** Keys of the messages of a channel, and of the root and replies of a thread, in the order of their posting. */
  const members = new Map<string, string[]>();
  const keyOf = (message: { channel: string; ts: string }) => `${message.channel}/${message.ts}`;

  const store = (message: SandboxMessage) => {
    byKey.set(keyOf(message), message);
    input.changes.notify();
    return message;
  };
  const enlist = (message: SandboxMessage) => {
    const thread = `${message.channel}/${message.threadTs ?? message.ts}`;
    for (const list of [message.channel, thread]) {
      const keys = members.get(list) ?? [];
      keys.push(keyOf(message));
      members.set(list, keys);
    }
    return message;
  };
  const all = () => [...byKey.values()];
  const standing = (list: string) =>
    (members.get(list) ?? [])
      .map((key) => byKey.get(key))
      .filter((message) => message !== undefined)
      .filter((message) => !message.deleted && message.ephemeralFor === null);

  return {
    add: (message) => store(enlist(freshMessage(message, input.now()))),
    edit(message, { edited, ...changed }) {
      const next = { ...message, ...copyJson(changed), atMs: input.now(), edited: edited ?? message.edited };
      return store({ ...next, versions: [...message.versions, versionOf(next)] });
    },
    unfurl: (message, attachments) => store({ ...message, attachments: copyJson(attachments) }),
    remove: (message) => store({ ...message, deleted: true }),
    find(at) {
      const message = byKey.get(keyOf(at));
      if (message === undefined || message.deleted) return undefined;
      return message.ephemeralFor === null || at.ephemeral === true ? message : undefined;
    },
    inChannel: (channel) => standing(channel),
    inThread: ({ channel, threadTs }) => standing(`${channel}/${threadTs}`),
    ephemerals: () => all().filter((message) => message.ephemeralFor !== null && !message.deleted),
    all,
  };
}
