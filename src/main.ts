import { parseArgs } from 'node:util';
import type { App, Role } from './app.ts';
import { type Config, loadConfig, loadEnvFile } from './config.ts';
import type { Logger } from './domain/ports/logger.ts';
import { ConfigError, errorMessage, StewardError } from './errors.ts';
import { createLogger } from './log.ts';
import { openPool } from './store/connection/open-pool.ts';

/** sysexits.h EX_CONFIG: a supervisor should not start the process again until somebody has changed something. */
const EXIT_CONFIG = 78;

const ROLES = ['both', 'intake', 'worker'] as const satisfies readonly Role[];
const ROLE_WORDS = 'both, intake or worker';

function readRole(): Role {
  const asked = readArguments();
  const role = ROLES.find((candidate) => candidate === asked);
  if (!role) throw new ConfigError([`--role ${asked} is unknown: use ${ROLE_WORDS}`]);
  return role;
}

function readArguments(): string {
  try {
    return parseArgs({ options: { role: { type: 'string', default: 'both' } }, strict: true }).values.role;
  } catch (error) {
    throw new ConfigError([`${errorMessage(error)} (the only option is --role, with ${ROLE_WORDS})`]);
  }
}

function readSettings(): { config: Config; role: Role } {
  loadEnvFile();
  const role = readRole();
  const config = loadConfig(process.env);
  if (role !== 'both' && config.state.kind === 'embedded') {
    throw new ConfigError([
      `DATABASE_URL is required for --role ${role}: the embedded database serves one process only`,
    ]);
  }
  return { config, role };
}

async function openApp(config: Config, options: { role: Role; logger: Logger }): Promise<App> {
  const { logger } = options;
  // The database opens in its thread while the rest of the code loads: that takes most of a second off each start.
  const [pool, { createApp }] = await Promise.all([openPool(config.state, logger), import('./app.ts')]);
  return createApp(config, {
    ...options,
    pool,
    onLost(error) {
      logger.error({ err: error }, 'database_lost');
      process.exit(1);
    },
  });
}

async function main(): Promise<void> {
  const { config, role } = readSettings();
  const logger = createLogger(config.logLevel);
  if (config.ignored.length > 0) logger.warn({ variables: config.ignored, because: 'POLICY_FILE' }, 'settings_ignored');
  // A library's stray rejection (a socket that cannot reconnect) must not end the runs under way.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled_rejection'));
  const opening = openApp(config, { role, logger });
  const up = opening.then((app) => app.start().then(() => app));

  let stopping = false;
  function stop(signal: NodeJS.Signals): void {
    logger.info({ signal }, 'stopping');
    if (stopping) return void opening.then((app) => app.interruptRuns());
    stopping = true;
    // A stop that comes while it still starts waits for that: half an app cannot be closed.
    const stopped = up.then((app) => app.stop());
    stopped.then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'stop_failed');
        process.exit(1);
      },
    );
  }
  // Before the app is up it waits for that, as the file may have changed after it was read.
  function reloadPolicy(signal: NodeJS.Signals): void {
    logger.info({ signal, stopping }, 'policy_reload_asked');
    if (stopping) return;
    up.then(
      (app) => app.reloadPolicy(),
      () => undefined, // a start that fails ends the process, and tells so itself
    );
  }
  process.on('SIGHUP', reloadPolicy);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await up;
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
  if (error instanceof StewardError) process.stderr.write(`${error.message}\n`);
  createLogger('info').fatal({ err: error }, 'start_failed');
  process.exit(1);
});
