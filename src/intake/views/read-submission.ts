import { readModalMetadata } from '../../presenter/modals.ts';
import { fieldsAt, listAt, textAt } from '../read/fields.ts';
import type { Submission } from './submission.ts';

/** Reads a `view_submission` body; null for a modal that is not ours. */
export function readSubmission(body: unknown): Submission | null {
  const metadataText = textAt(body, 'view', 'private_metadata') ?? '';
  const about = readModalMetadata(metadataText);
  // The person's own id, whichever workspace they are of: a shared channel's members keep theirs.
  const actorId = textAt(body, 'user', 'id');
  if (about === null || actorId === null) return null;
  return {
    about,
    click: { actorId, channelId: about.channelId, messageTs: about.messageTs },
    state: fieldsAt(body, 'view', 'state'),
    metadataText,
    inputIds: inputIdsOf(body),
  };
}

/** The `block_id`s of the submitted modal's inputs: the only places that can show an error. */
export function inputIdsOf(body: unknown): string[] {
  const inputs = listAt(body, 'view', 'blocks').filter((block) => block.type === 'input');
  return inputs.map((block) => textAt(block, 'block_id')).filter((id) => id !== null);
}
