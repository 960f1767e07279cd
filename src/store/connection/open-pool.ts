import type { Logger } from '../../domain/ports/logger.ts';
import { openEmbeddedPool } from './embedded.ts';
import { openServerPool } from './server.ts';
import type { SqlPool } from './sql-pool.ts';

/** Where state lives. */
export type StatePlace = { kind: 'embedded'; dataDir: string } | { kind: 'server'; databaseUrl: string };

/** Opens the database that the configuration names. @throws {StewardError} saying why it cannot be opened */
export function openPool(place: StatePlace, logger: Logger): Promise<SqlPool> {
  return place.kind === 'embedded'
    ? openEmbeddedPool({ dataDir: place.dataDir, logger })
    : openServerPool({ databaseUrl: place.databaseUrl, logger });
}
