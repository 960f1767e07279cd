import {
  WebAPIFileUploadInvalidArgumentsError,
  WebAPIFileUploadReadFileDataError,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
} from '@slack/web-api';
import { errorMessage, SlackError } from '../errors.ts';

/** Slack's own trouble: the same call may succeed later. Source: the methods' pages on docs.slack.dev. */
const RETRYABLE = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'org_login_required',
]);

const RATE_LIMITED = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded']);

/** The token itself is wrong, revoked, expired or of another kind, whatever is asked with it. */
const TOKEN_REFUSED = new Set([
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'user_removed_from_team',
  'team_disabled',
  'forbidden_team',
]);

/** The one method that takes the app-level token. */
export const OPEN_SOCKET = 'apps.connections.open';

/** What the message says is refused, not that it is said: the same text in other blocks may pass. */
const CONTENT_REJECTED = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'block_mismatch',
  'msg_blocks_too_long',
  'msg_blocks_too_many',
  'msg_too_long',
]);

/** Runs a call of the SDK and makes its errors ours. `method` is Slack's name of it. */
export async function callSlack<T>(method: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toSlackError(error, method);
  }
}

/** Makes an SDK error a `SlackError`. What is not a clear refusal counts as unreachable: its outcome is unknown. */
export function toSlackError(error: unknown, method: string): SlackError {
  if (error instanceof SlackError) return error;
  if (error instanceof WebAPIRateLimitedError) return rateLimited(method, error, error.retryAfter);
  if (error instanceof WebAPIPlatformError) return platformError(method, error);
  if (error instanceof WebAPIHTTPError) return httpError(method, error);
  if (isUploadArgumentError(error)) {
    return new SlackError(`${method}: ${error.message}`, { code: 'slack_refused', retryable: false, cause: error });
  }
  // The SDK has no class for a 429 without a usable Retry-After; only its text tells it.
  if (error instanceof Error && error.message.startsWith('Retry header')) return rateLimited(method, error, null);
  return unreachable(method, errorMessage(error), error);
}

function isUploadArgumentError(error: unknown): error is Error {
  return error instanceof WebAPIFileUploadInvalidArgumentsError || error instanceof WebAPIFileUploadReadFileDataError;
}

function rateLimited(method: string, cause: unknown, retryAfterS: number | null): SlackError {
  return new SlackError(`Slack limits ${method} for now; it can be tried again later.`, {
    code: 'slack_rate_limited',
    retryable: true,
    slackCode: cause instanceof WebAPIPlatformError ? cause.data.error : 'ratelimited',
    retryAfterMs: retryAfterS === null ? null : retryAfterS * 1000,
    cause,
  });
}

function unreachable(method: string, reason: string, cause: unknown): SlackError {
  return new SlackError(`Slack did not answer ${method}: ${reason}`, {
    code: 'slack_unreachable',
    retryable: true,
    cause,
  });
}

function platformError(method: string, error: WebAPIPlatformError): SlackError {
  const slackCode = error.data.error;
  // The SDK puts a body that is not JSON (a proxy's page) where the error word would stand.
  if (!/^[\w.:-]{1,100}$/.test(String(slackCode))) return unreachable(method, 'its answer was not JSON', undefined);
  if (RATE_LIMITED.has(slackCode)) return rateLimited(method, error, error.data.response_metadata?.retryAfter ?? null);
  if (TOKEN_REFUSED.has(slackCode)) return tokenRefused(method, slackCode, error);
  if (slackCode === 'missing_scope') return scopeMissing(method, error);
  return new SlackError(`Slack refused ${method}: ${slackCode}`, {
    code: codeOf(slackCode),
    retryable: RETRYABLE.has(slackCode),
    slackCode,
    cause: error,
  });
}

/** The refusal of a token, with its variable and what to do. Retryable, because the token can be put right. */
export function tokenRefused(method: string, slackCode: string, cause?: unknown): SlackError {
  const text =
    method === OPEN_SOCKET
      ? `SLACK_APP_TOKEN is refused by Slack (${slackCode}): make an app-level token with the scope connections:write (Basic Information → App-Level Tokens) and set it`
      : `SLACK_BOT_TOKEN is refused by Slack (${slackCode}): install the app to the workspace and set its Bot User OAuth Token (OAuth & Permissions)`;
  return new SlackError(text, { code: 'slack_token_refused', retryable: true, slackCode, cause });
}

function scopeMissing(method: string, error: WebAPIPlatformError): SlackError {
  const slackCode = error.data.error;
  if (method === OPEN_SOCKET) return tokenRefused(method, slackCode, error);
  const needed = scopesNeeded(error);
  const text = `Slack refused ${method}: ${slackCode}${needed === null ? '' : ` (it takes ${needed})`}`;
  return new SlackError(text, { code: 'slack_refused', retryable: false, slackCode, cause: error });
}

/** The scopes that Slack asks for, any one of which is enough: `channels:read or groups:read`. */
export function scopesNeeded(cause: unknown): string | null {
  const needed = cause instanceof WebAPIPlatformError && 'needed' in cause.data ? cause.data.needed : null;
  return typeof needed === 'string' ? needed.split(',').join(' or ') : null;
}

function codeOf(
  slackCode: string,
): 'slack_unreachable' | 'slack_blocks_rejected' | 'slack_thread_gone' | 'slack_message_gone' | 'slack_refused' {
  if (RETRYABLE.has(slackCode)) return 'slack_unreachable';
  if (CONTENT_REJECTED.has(slackCode)) return 'slack_blocks_rejected';
  if (slackCode === 'thread_not_found') return 'slack_thread_gone';
  if (slackCode === 'message_not_found') return 'slack_message_gone';
  return 'slack_refused';
}

function httpError(method: string, error: WebAPIHTTPError): SlackError {
  if (error.statusCode >= 500 || error.statusCode === 408) {
    return unreachable(method, `HTTP ${error.statusCode}`, error);
  }
  return new SlackError(`Slack refused ${method} with HTTP ${error.statusCode}; is SLACK_API_URL right?`, {
    code: 'slack_refused',
    retryable: false,
    cause: error,
  });
}
