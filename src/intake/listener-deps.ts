import type { Logger } from '../domain/ports/logger.ts';
import type { RunCommands } from '../domain/ports/run-commands.ts';
import type { BotIdentity } from './bot-identity.ts';
import type { SlackClient } from './slack-client.ts';

/** What every listener works with. */
export type ListenerDeps = {
  commands: RunCommands;
  slack: SlackClient;
  identity: BotIdentity;
  logger: Logger;
  /** The clock that texts count from. */
  now: () => Date;
};
