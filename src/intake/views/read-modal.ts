import { ANSWER_MODAL } from '../../presenter/action-ids.ts';
import type { ModalMetadata } from '../../presenter/modals.ts';
import { textAt } from '../read/fields.ts';

/** Reads a modal's `private_metadata` back; null when it is not ours. */
export function readModalMetadata(text: string): ModalMetadata | null {
  const value = parseJson(text);
  const pauseId = textAt(value, 'pauseId');
  const termsDigest = textAt(value, 'termsDigest');
  const channelId = textAt(value, 'channelId');
  if (pauseId === null || termsDigest === null || channelId === null) return null;
  return { pauseId, termsDigest, channelId, messageTs: textAt(value, 'messageTs') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The text typed into the modal, trimmed, from a submission's `view.state`; empty when it holds none. */
export function readAnswer(state: unknown): string {
  return textAt(state, 'values', ANSWER_MODAL.blockId, ANSWER_MODAL.inputId, 'value')?.trim() ?? '';
}
