import type { ActionsBlock, Button, ContextBlock, KnownBlock, PlainTextElement, SectionBlock } from '@slack/types';
import { LIMITS } from './limits.ts';
import { cleanText, escapeMrkdwn, plainText, truncate } from './text/escape.ts';
import { splitText } from './text/split-text.ts';

/** A section of our own mrkdwn, at most `LIMITS.section` long; text of others in it must be escaped already. */
export function section(mrkdwn: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: mrkdwn } };
}

/** A small grey line of our own mrkdwn. */
export function context(mrkdwn: string): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: mrkdwn }] };
}

/** A plain text object from text of others, cut to `max` characters. */
export function plain(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: truncate(plainText(text), max), emoji: false };
}

/** A button; a label too long for Slack is cut. */
export function button(input: {
  actionId: string;
  label: string;
  value: string;
  style?: 'primary' | 'danger';
}): Button {
  return {
    type: 'button',
    action_id: input.actionId,
    text: plain(input.label, LIMITS.button.text),
    value: input.value,
    ...(input.style ? { style: input.style } : {}),
  };
}

/** A row of buttons. */
export function actions(elements: ActionsBlock['elements']): ActionsBlock {
  return { type: 'actions', elements };
}

/**
 * Text of others, in full, as sections. What does not fit into `maxSections` (120,000 characters in 40) is left out
 * and the last section says how much.
 */
export function textSections(text: string, maxSections: number): SectionBlock[] {
  const clean = cleanText(text);
  const pieces = splitText(clean, LIMITS.section);
  if (pieces.length <= maxSections) return pieces.map((piece) => section(escapeMrkdwn(piece)));
  const kept = pieces.slice(0, maxSections - 1);
  const lost = clean.length - kept.reduce((sum, piece) => sum + piece.length, 0);
  return [
    ...kept.map((piece) => section(escapeMrkdwn(piece))),
    section(`_The text goes on for ${lost} more characters, which is more than a Slack message can hold._`),
  ];
}

/**
 * Bytes that Slack seems to count for a message: its UTF-8 JSON, a task's details and output twice.
 * Source: measured by others on streamed cards, 2026; Slack documents no number.
 */
export function weightedBytes(blocks: readonly KnownBlock[]): number {
  let bytes = 0;
  for (const block of blocks) {
    bytes += jsonBytes(block);
    if (block.type === 'plan') for (const task of block.tasks ?? []) bytes += taskExtraBytes(task);
    if (block.type === 'task_card') bytes += taskExtraBytes(block);
  }
  return bytes;
}

function taskExtraBytes(task: object): number {
  const details = 'details' in task ? jsonBytes(task.details) : 0;
  return details + ('output' in task ? jsonBytes(task.output) : 0);
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
