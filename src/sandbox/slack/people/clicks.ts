import type { Courier } from '../delivery/courier.ts';
import type { DeliveryResult } from '../delivery/delivery.ts';
import type { MessageVersion, SandboxMessage } from '../history.ts';
import type { Json } from '../json.ts';
import { messageObject } from '../message-view.ts';
import { ImpossibleAction } from '../refusal.ts';
import type { SandboxState } from '../state.ts';
import { actorFields, channelName } from './actor.ts';
import { type FoundElement, findElements, type Pick, pickElement } from './elements.ts';
import { filledState, type InputValue, stateValues } from './input-state.ts';

export type MessageAct = Pick & {
  user?: string;
  channel?: string;
  messageTs: string;
  /** The person's screen still shows an older version, or the message before its deletion. Default false. */
  stale?: boolean;
  /**
   * Says that the message was clicked in another place than it stands: no client of Slack's does this, so the payload is
   * signed and false. What is left out stays true.
   */
  forgedPlace?: { channel?: string; messageTs?: string; threadTs?: string | null };
};

export type PeopleClicks = {
  /** Presses a button of a message, a link button too: `block_actions`. Refuses if this person sees no such button. */
  click(input: MessageAct): Promise<DeliveryResult>;
  /**
   * Fills in a select, radio group, check boxes or input of a message. Sends `block_actions` where Slack would (not for
   * an input block without `dispatch_action`: null); what was filled in travels in `state.values` of later clicks.
   */
  fill(input: MessageAct & { value: InputValue }): Promise<DeliveryResult | null>;
};

type Seen = { message: SandboxMessage; found: FoundElement; blocks: readonly Json[] };

function findSeen(state: SandboxState, act: MessageAct & { user: string; channel: string }): Seen {
  const { user, channel, messageTs, stale = false } = act;
  const message = state.history.all().find((each) => each.channel === channel && each.ts === messageTs);
  const hidden = message?.ephemeralFor !== null && message?.ephemeralFor !== user;
  if (message === undefined || hidden || (message.deleted && !stale)) {
    throw new ImpossibleAction(`${user} sees no message ${messageTs} in ${channel}`);
  }
  if (!state.workspace.channel(channel)?.members.includes(user))
    throw new ImpossibleAction(`${user} is not in ${channel}`);
  if (!stale) return { message, found: pickElement(message.blocks, act), blocks: message.blocks };
  const versions = [...message.versions].reverse().filter((version) => canPick(version, act));
  const [version] = versions;
  if (version === undefined) return { message, found: pickElement(message.blocks, act), blocks: message.blocks };
  const seen = { ...message, text: version.text, blocks: version.blocks };
  return { message: seen, found: pickElement(version.blocks, act), blocks: version.blocks };
}

function canPick(version: MessageVersion, act: MessageAct): boolean {
  try {
    pickElement(version.blocks, act);
    return true;
  } catch (error) {
    if (error instanceof ImpossibleAction) return false;
    throw error;
  }
}

/** The fields of `actions[]` that say which element it was. */
export function actionFields(state: SandboxState, { blockId, element }: FoundElement): Json {
  const { action_id, type, text, value, style, url } = element;
  const given = Object.entries({ text, value, style, url }).filter(([, field]) => field !== undefined);
  return { action_id, block_id: blockId, type, ...Object.fromEntries(given), action_ts: state.ids.nextTs() };
}

/** Creates the people who use what stands in messages. */
export function createPeopleClicks(input: {
  state: SandboxState;
  courier: Courier;
  defaults: { user: string; channel: string };
}): PeopleClicks {
  const { state, courier, defaults } = input;
  const filled = new Map<string, Map<string, Json>>();

  const inputsOf = (userId: string, message: SandboxMessage) => {
    const key = `${userId}/${message.channel}/${message.ts}`;
    const inputs = filled.get(key) ?? new Map<string, Json>();
    filled.set(key, inputs);
    return inputs;
  };

  const payload = ({ user, forgedPlace = {} }: MessageAct & { user: string }, seen: Seen, action: Json): Json => {
    const { messageTs: ts = seen.message.ts, ...elsewhere } = forgedPlace;
    const message: SandboxMessage = { ...seen.message, ts, ...elsewhere };
    const ephemeral = message.ephemeralFor !== null;
    const thread = message.threadTs === null ? {} : { thread_ts: message.threadTs };
    const place = { message_ts: message.ts, channel_id: message.channel, is_ephemeral: ephemeral, ...thread };
    const origin = { channel: message.channel, userId: user, messageTs: message.ts, threadTs: message.threadTs };
    return {
      type: 'block_actions',
      ...actorFields(state, user),
      container: { type: 'message', ...place },
      trigger_id: state.triggers.issue({ userId: user, viewId: null }),
      channel: { id: message.channel, name: channelName(state, message.channel) },
      ...(ephemeral ? {} : { message: messageObject(state, message) }),
      state: { values: stateValues(findElements(seen.blocks), inputsOf(user, seen.message)) },
      response_url: `${state.baseUrl}${state.responseUrls.issue(origin)}`,
      actions: [action],
    };
  };

  return {
    async click(act) {
      const complete = { ...defaults, ...act };
      const seen = findSeen(state, complete);
      const type = String(seen.found.element.type);
      if (!/button/.test(type) || type === 'radio_buttons') throw new ImpossibleAction(`A ${type} is no button`);
      return courier.interaction(payload(complete, seen, actionFields(state, seen.found)));
    },
    async fill({ value, ...act }) {
      const complete = { ...defaults, ...act };
      const seen = findSeen(state, complete);
      const { blockId, block, element } = seen.found;
      const after = filledState(element, value);
      inputsOf(complete.user, seen.message).set(`${blockId}/${String(element.action_id)}`, after);
      if (block.type === 'input' && block.dispatch_action !== true) return null;
      const action = { ...actionFields(state, seen.found), ...after };
      return courier.interaction(payload(complete, seen, action));
    },
  };
}
