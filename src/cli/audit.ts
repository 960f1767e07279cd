import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile, loadStateSettings } from '../config.ts';
import type { Logger } from '../domain/ports/logger.ts';
import { StewardError } from '../errors.ts';
import { openPool } from '../store/connection/open-pool.ts';
import type { SqlPool } from '../store/connection/sql-pool.ts';
import { runAuditCommand } from './audit-command.ts';

/** The connections' own words are not asked for: what goes wrong is thrown, and the output is the export. */
const QUIET: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => QUIET };

/** The bot's database, which must be there: looking at it creates none. An embedded one only while the bot is stopped. */
async function openExisting(): Promise<SqlPool> {
  loadEnvFile();
  const state = loadStateSettings(process.env);
  if (state.kind === 'embedded' && !existsSync(join(state.dataDir, 'database', 'PG_VERSION'))) {
    const text = `There is no database in DATA_DIR ${state.dataDir}. Set DATA_DIR or DATABASE_URL as for the bot.`;
    throw new StewardError(text, { code: 'store_unavailable', retryable: false });
  }
  return openPool(state, QUIET);
}

const { stdout, stderr } = process;
process.exitCode = await runAuditCommand(process.argv.slice(2), { openPool: openExisting, stdout, stderr });
