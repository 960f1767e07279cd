/** Machine-readable names of what went wrong. */
export type ErrorCode =
  | 'config_invalid'
  | 'data_dir_locked'
  | 'store_unavailable'
  | 'queue_unavailable'
  | 'slack_rate_limited'
  | 'slack_unreachable'
  | 'slack_refused'
  | 'slack_token_refused'
  | 'slack_blocks_rejected'
  | 'slack_thread_gone'
  | 'slack_message_gone';

type StewardErrorOptions = { code: ErrorCode; retryable: boolean; cause?: unknown };

/**
 * The base of every error that Steward raises on purpose. The message names what is wrong and what to do; `retryable`
 * says whether the same call may succeed later.
 */
export class StewardError extends Error {
  override readonly name: string = 'StewardError';
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(message: string, options: StewardErrorOptions) {
    super(message, { cause: options.cause });
    this.code = options.code;
    this.retryable = options.retryable;
  }
}

/** The environment cannot be used. `problems` holds one line per variable. Exit code 78. */
export class ConfigError extends StewardError {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n${problems.map((line) => `  - ${line}`).join('\n')}`, {
      code: 'config_invalid',
      retryable: false,
    });
    this.problems = problems;
  }
}

/**
 * Slack did not do what it was asked. `slackCode` is Slack's own error word; `retryAfterMs` comes from a 429.
 * `slack_token_refused` is no fault of the call: once an operator has seen to the token, the same call succeeds.
 */
export class SlackError extends StewardError {
  override readonly name = 'SlackError';
  readonly slackCode: string | null;
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    options: StewardErrorOptions & { slackCode?: string | null; retryAfterMs?: number | null },
  ) {
    super(message, options);
    this.slackCode = options.slackCode ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** The message of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
