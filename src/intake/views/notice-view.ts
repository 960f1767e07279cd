import type { types } from '@slack/bolt';

/** A modal that only says something and can be closed. `text` is plain, at most 3,000 characters. */
export function noticeView(text: string): types.ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'Steward' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
  };
}
