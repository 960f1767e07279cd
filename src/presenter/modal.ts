import type { KnownBlock, ModalView } from '@slack/types';
import { plain, section } from './blocks.ts';
import type { ModalMetadata } from './modals.ts';
import { LIMITS } from './limits.ts';
import { splitMrkdwn } from './text/split-text.ts';

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

/** A modal that only says something. `text` is our own mrkdwn; text of others in it is escaped already. */
export function messageModal(text: string): ModalView {
  const sections = splitMrkdwn(text, LIMITS.section).slice(0, LIMITS.modal.blocks).map(section);
  return readingModal({ title: 'Steward', blocks: sections });
}
