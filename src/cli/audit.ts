import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../domain/ports/logger.ts';
import { StewardError } from '../errors.ts';
import { openEmbeddedPool } from '../store/connection/embedded.ts';
import { openServerPool } from '../store/connection/server.ts';
import type { SqlPool } from '../store/connection/sql-pool.ts';
import { runAuditCommand } from './audit-command.ts';

/** The connections' own words are not asked for: what goes wrong is thrown, and the output is the export. */
const QUIET: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => QUIET };

/** An empty variable counts as unset, as in the bot's own settings. */
function setting(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}

/** The bot's database, which must be there: looking at it creates none. An embedded one only while the bot is stopped. */
async function openPool(): Promise<SqlPool> {
  const databaseUrl = setting('DATABASE_URL');
  if (databaseUrl !== undefined) return openServerPool({ databaseUrl, logger: QUIET });
  const dataDir = setting('DATA_DIR') ?? './data';
  if (!existsSync(join(dataDir, 'database', 'PG_VERSION'))) {
    const text = `There is no database in DATA_DIR ${dataDir}. Set DATA_DIR or DATABASE_URL as for the bot.`;
    throw new StewardError(text, { code: 'store_unavailable', retryable: false });
  }
  return openEmbeddedPool({ dataDir, logger: QUIET });
}

if (existsSync('.env')) process.loadEnvFile('.env');
const { stdout, stderr } = process;
process.exitCode = await runAuditCommand(process.argv.slice(2), { openPool, stdout, stderr });
