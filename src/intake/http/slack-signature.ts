import type { IncomingHttpHeaders } from 'node:http';
import { isValidSlackRequest } from '@slack/bolt';

const MAX_DRIFT_S = 5 * 60;

/**
 * Whether a request carries Slack's signature and a time within 5 minutes of now, in either direction (contract C34;
 * Bolt's check alone accepts any time in the future).
 *
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function isSignedBySlack(request: {
  headers: IncomingHttpHeaders;
  body: string;
  signingSecret: string;
  nowMs: number;
}): boolean {
  const timestamp = request.headers['x-slack-request-timestamp'];
  const signature = request.headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(request.nowMs / 1000 - Number(timestamp)) > MAX_DRIFT_S) return false;
  return isValidSlackRequest({
    signingSecret: request.signingSecret,
    body: request.body,
    headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) },
    nowMilliseconds: request.nowMs,
  });
}
