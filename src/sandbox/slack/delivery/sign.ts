import { createHmac } from 'node:crypto';

/** The headers with which Slack signs a request: version v0, seconds since the epoch. */
export function signRequest(input: { body: string; secret: string; timestampS: number }): Record<string, string> {
  const base = `v0:${input.timestampS}:${input.body}`;
  const digest = createHmac('sha256', input.secret).update(base).digest('hex');
  return { 'x-slack-request-timestamp': String(input.timestampS), 'x-slack-signature': `v0=${digest}` };
}
