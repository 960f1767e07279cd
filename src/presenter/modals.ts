import type { KnownBlock, ModalView } from '@slack/types';
import { plain, section } from './blocks.ts';
import { LIMITS } from './limits.ts';
import { splitMrkdwn } from './text/split-text.ts';

/**
 * What a modal remembers between opening and submission: what was shown, and where the button was pressed; `messageTs`
 * is null when Slack did not say.
 */
export type ModalMetadata = { pauseId: string; termsDigest: string; channelId: string; messageTs: string | null };

/** Reads a modal's `private_metadata` back; null when it is not ours. */
export function readModalMetadata(text: string): ModalMetadata | null {
  const { pauseId, termsDigest, channelId, messageTs } = parseObject(text);
  if (typeof pauseId !== 'string' || typeof termsDigest !== 'string' || typeof channelId !== 'string') return null;
  return { pauseId, termsDigest, channelId, messageTs: typeof messageTs === 'string' ? messageTs : null };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A modal that sends something: `callbackId` names what, `metadata` what it was opened for. */
export function submitModal(input: {
  callbackId: string;
  title: string;
  submit: string;
  metadata: ModalMetadata;
  blocks: KnownBlock[];
}): ModalView {
  return {
    type: 'modal',
    callback_id: input.callbackId,
    title: plain(input.title, LIMITS.modal.title),
    submit: plain(input.submit, LIMITS.modal.button),
    close: plain('Not now', LIMITS.modal.button),
    private_metadata: JSON.stringify(input.metadata),
    blocks: input.blocks,
  };
}

/** A modal that only shows something and can be closed. */
export function readingModal({ title, blocks }: { title: string; blocks: KnownBlock[] }): ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.modal.title),
    close: plain('Close', LIMITS.modal.button),
    blocks,
  };
}

/** Opened at once, because a trigger lives for 3 seconds; filled by an update. */
export function loadingModal(): ModalView {
  return readingModal({ title: 'One moment', blocks: [section('One moment, this is being fetched…')] });
}

/** A modal that only says something. `text` is our own mrkdwn; text of others in it is escaped already. */
export function noticeModal(text: string): ModalView {
  const sections = splitMrkdwn(text, LIMITS.section).slice(0, LIMITS.modal.blocks).map(section);
  return readingModal({ title: 'Steward', blocks: sections });
}
