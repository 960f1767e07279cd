import { setTimeout as sleep } from 'node:timers/promises';
import type { Courier } from '../delivery/courier.ts';
import type { DeliveryResult } from '../delivery/delivery.ts';
import { changedEvent, deletedEvent, mentionEvent, messageEvent, tombstoneEvent } from '../delivery/events.ts';
import type { FileSetup } from '../files.ts';
import type { SandboxMessage } from '../history.ts';
import type { Json } from '../json.ts';
import { ImpossibleAction } from '../refusal.ts';
import type { SandboxState } from '../state.ts';

/** What became of an act that caused events: all of them together, and each one. */
export type Sent = DeliveryResult & {
  channel: string;
  ts: string;
  threadTs: string | null;
  deliveries: (DeliveryResult & { eventType: string })[];
};

export type Writing = {
  user?: string;
  /** As on the wire: `&`, `<` and `>` escaped, mentions as `<@U…>`. */
  text: string;
  threadTs?: string;
  files?: readonly FileSetup[];
  /** "Also send to channel": subtype `thread_broadcast`. */
  broadcast?: boolean;
};
export type ChannelWriting = Writing & { channel?: string };
export type Mentioning = ChannelWriting & {
  /** Which of the two events leaves first. Default `mention-first`; Slack promises nothing. */
  order?: 'mention-first' | 'message-first';
  /** Time between the two. Default 0. */
  gapMs?: number;
};
export type Target = { channel?: string; ts: string; user?: string };

export type PeopleMessages = {
  /** Writes a message that mentions the bot: `app_mention` and `message` both, as Slack does where the bot is a member. */
  mention(input: Mentioning): Promise<Sent>;
  /** Writes to the bot in the direct message conversation: one `message` event. */
  directMessage(input: Writing): Promise<Sent>;
  /** Writes a plain message: one `message` event. */
  reply(input: ChannelWriting): Promise<Sent>;
  /** Edits a message: `message_changed`, and `app_mention` with `edited` if the new text mentions the bot. */
  editMessage(input: Target & { text: string }): Promise<Sent>;
  /** Deletes a message. `as: 'tombstone'` sends what Slack may send for a root with replies. */
  deleteMessage(input: Target & { as?: 'message_deleted' | 'tombstone' }): Promise<Sent>;
  /** Slack adds a link preview: `message_changed` with the same text. */
  unfurl(input: Target & { attachments?: readonly Json[] }): Promise<Sent>;
};

type Defaults = { user: string; channel: string };

function summary(message: SandboxMessage, deliveries: Sent['deliveries']): Sent {
  const last = deliveries.at(-1);
  const times = deliveries.map((delivery) => delivery.ackMs).filter((ackMs) => ackMs !== null);
  return {
    channel: message.channel,
    ts: message.ts,
    threadTs: message.threadTs,
    acked: deliveries.length > 0 && deliveries.every((delivery) => delivery.acked),
    status: deliveries.find((delivery) => !delivery.acked)?.status ?? last?.status ?? null,
    body: last?.body ?? null,
    attempts: Math.max(0, ...deliveries.map((delivery) => delivery.attempts)),
    ackMs: times.length === 0 ? null : Math.max(...times),
    deliveries,
  };
}

/** The rich text that Slack's client sends along with the text. */
function clientBlocks(state: SandboxState, text: string): Json[] {
  const elements = text
    .split(/(<@[A-Z0-9]+>)/)
    .filter((part) => part !== '')
    .map((part) => {
      const user = /^<@([A-Z0-9]+)>$/.exec(part)?.[1];
      return user === undefined ? { type: 'text', text: part } : { type: 'user', user_id: user };
    });
  const section = { type: 'rich_text_section', elements };
  return [{ type: 'rich_text', block_id: state.ids.secret().slice(0, 5), elements: [section] }];
}

function subtypeOf(writing: Writing): string | null {
  if (writing.broadcast === true) return 'thread_broadcast';
  return (writing.files ?? []).length > 0 ? 'file_share' : null;
}

function write(state: SandboxState, writing: Writing & { user: string; channel: string }): SandboxMessage {
  const user = state.workspace.user(writing.user);
  const channel = state.workspace.channel(writing.channel);
  if (user === undefined) throw new ImpossibleAction(`There is no user ${writing.user}`);
  if (!channel?.members.includes(user.id)) throw new ImpossibleAction(`${user.name} is not in ${writing.channel}`);
  if (channel.archived === true) throw new ImpossibleAction(`${writing.channel} is archived`);
  const { threadTs = null } = writing;
  const root = threadTs === null ? undefined : state.history.find({ channel: channel.id, ts: threadTs });
  if (threadTs !== null && root?.threadTs !== null) throw new ImpossibleAction(`${threadTs} is not a thread`);
  return state.history.add({
    channel: channel.id,
    ts: state.ids.nextTs(),
    threadTs,
    userId: user.id,
    teamId: state.workspace.teamOf(user.id),
    botId: user.bot === true ? `B${user.id.slice(1)}` : null,
    clientMsgId: user.bot === true ? null : state.ids.uuid(),
    text: writing.text,
    blocks: clientBlocks(state, writing.text),
    subtype: subtypeOf(writing),
    files: (writing.files ?? []).map((file) => state.files.add(file, user.id)),
  });
}

/** Creates the people who write. `defaults` says who and where if an act does not. */
export function createPeopleMessages(input: {
  state: SandboxState;
  courier: Courier;
  defaults: Defaults;
}): PeopleMessages {
  const { state, courier, defaults } = input;
  const botMention = `<@${state.setup.bot.userId}>`;

  const hearsBot = (message: SandboxMessage) =>
    state.workspace.channel(message.channel)?.members.includes(state.setup.bot.userId) === true;

  /** Sends events one after the other without waiting for the first one's ack. */
  const send = async (message: SandboxMessage, events: readonly Json[], gapMs = 0): Promise<Sent> => {
    if (!hearsBot(message)) return summary(message, []);
    const deliveries: Promise<Sent['deliveries'][number]>[] = [];
    for (const event of events) {
      if (deliveries.length > 0 && gapMs > 0) await sleep(gapMs);
      deliveries.push(courier.event(event).then((result) => ({ ...result, eventType: String(event.type) })));
    }
    return summary(message, await Promise.all(deliveries));
  };

  const existing = ({ channel = defaults.channel, ts, user }: Target) => {
    const message = state.history.find({ channel, ts });
    if (message === undefined) throw new ImpossibleAction(`There is no message ${ts} in ${channel}`);
    if (user !== undefined && message.userId !== user) throw new ImpossibleAction(`${ts} is not by ${user}`);
    return message;
  };

  return {
    async mention({ order = 'mention-first', gapMs = 0, ...writing }) {
      const text = writing.text.includes(botMention) ? writing.text : `${botMention} ${writing.text}`.trim();
      const message = write(state, { ...defaults, ...writing, text });
      const events = [mentionEvent(state, message), messageEvent(state, message)];
      return send(message, order === 'mention-first' ? events : events.reverse(), gapMs);
    },
    async directMessage(writing) {
      const user = writing.user ?? defaults.user;
      const message = write(state, { ...writing, user, channel: state.workspace.openDm(user).id });
      return send(message, [messageEvent(state, message)]);
    },
    async reply(writing) {
      const message = write(state, { ...defaults, ...writing });
      return send(message, [messageEvent(state, message)]);
    },
    async editMessage({ text, ...target }) {
      const before = existing(target);
      const edited = { user: before.userId, ts: state.ids.nextTs() };
      const after = state.history.edit(before, { text, blocks: clientBlocks(state, text), edited });
      const isIm = state.workspace.channel(after.channel)?.kind === 'im';
      const mention = text.includes(botMention) && !isIm ? [mentionEvent(state, after)] : [];
      return send(after, [changedEvent(state, after, before), ...mention]);
    },
    async deleteMessage({ as = 'message_deleted', ...target }) {
      const message = existing(target);
      const event = as === 'tombstone' ? tombstoneEvent(state, message) : deletedEvent(state, message);
      state.history.remove(message);
      return send(message, [event]);
    },
    async unfurl({ attachments = [{ id: 1, title: 'A page', title_link: 'https://example.com/' }], ...target }) {
      const before = existing(target);
      const after = state.history.unfurl(before, attachments);
      return send(after, [changedEvent(state, after, before)]);
    },
  };
}
