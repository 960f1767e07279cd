import type { webApi } from '@slack/bolt';
import type { BotIdentity } from '../domain/ports/bot-identity.ts';
import type { Chat } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { RunCommands } from '../domain/ports/run-commands.ts';

/** What every listener works with. */
export type ListenerDeps = {
  commands: RunCommands;
  /** Tells one person something. */
  whisper: Chat['whisper'];
  /** Opens and changes modals. */
  views: webApi.WebClient['views'];
  identity: BotIdentity;
  logger: Logger;
  /** The clock that texts count from. */
  now: () => Date;
};
