/** Passed on from the demo's own environment; nothing else is, so that real keys and servers stay out of it. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'TZ', 'LANG'];

/** Settings that an `.env` file could bring in. Empty means unset, and wins over the file. */
const UNSET = [
  ...['SLACK_SIGNING_SECRET', 'ASI_ONE_MODEL', 'ASI_ONE_AGENTS', 'DATABASE_URL', 'REDIS_URL', 'WORKER_CONCURRENCY'],
  ...['PAUSE_TTL_MINUTES', 'PAUSE_TTL_MS', 'PLANNER_IDLE_TIMEOUT_MS', 'RUN_TIMEOUT_MS'],
  ...['POLICY_FILE', 'PAYMENT_APPROVERS', 'PAYMENT_RETYPE_ABOVE'],
];

/** The bot's whole environment: its embedded default, pointed at the sandbox, over Socket Mode. */
export function botEnvironment(
  parent: Record<string, string | undefined>,
  sandbox: {
    slackApiUrl: string;
    botToken: string;
    appToken: string;
    plannerUrl: string;
    plannerKey: string;
    dataDir: string;
  },
): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]]]));
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(UNSET.map((name) => [name, ''])),
    SLACK_BOT_TOKEN: sandbox.botToken,
    SLACK_APP_TOKEN: sandbox.appToken,
    SLACK_API_URL: sandbox.slackApiUrl,
    ASI_ONE_API_KEY: sandbox.plannerKey,
    ASI_ONE_BASE_URL: sandbox.plannerUrl,
    DATA_DIR: sandbox.dataDir,
    PORT: '0',
    // Edits three times as often as by default, because the scripted plan moves faster than a real one.
    STATUS_EDIT_INTERVAL_MS: '1000',
    WORKSPACE_EDITS_PER_MINUTE: '120',
    // Ctrl-C ends the demo at once.
    SHUTDOWN_GRACE_MS: '0',
    LOG_LEVEL: 'info',
  };
}
