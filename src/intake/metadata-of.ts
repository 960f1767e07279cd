import type { Pause } from '../domain/pause.ts';
import type { ClickContext } from '../domain/ports/run-commands.ts';
import type { ModalMetadata } from '../presenter/modals.ts';

/** What a modal about a pause has to remember. */
export function metadataOf(pause: Pause, { channelId, messageTs }: Omit<ClickContext, 'actorId'>): ModalMetadata {
  return { pauseId: pause.id, termsDigest: pause.termsDigest, channelId, messageTs };
}
