import { createHmac } from 'node:crypto';

export const SIGNING_SECRET = 'a-signing-secret';

export type SignedOptions = {
  secret?: string;
  timestampS?: number;
  contentType?: string;
  headers?: Record<string, string>;
};

/** Posts a body signed as Slack signs it. */
export function postSigned(url: string, body: string, options: SignedOptions = {}): Promise<Response> {
  const timestamp = String(options.timestampS ?? Math.floor(Date.now() / 1000));
  const hash = createHmac('sha256', options.secret ?? SIGNING_SECRET)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const headers = {
    'content-type': options.contentType ?? 'application/json',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${hash}`,
    ...options.headers,
  };
  return fetch(url, { method: 'POST', headers, body });
}

export function postJson(url: string, body: unknown, options: SignedOptions = {}): Promise<Response> {
  return postSigned(url, JSON.stringify(body), options);
}

/** Slack sends slash commands and interactivity as forms. */
export function postForm(url: string, fields: Record<string, string>, options: SignedOptions = {}): Promise<Response> {
  const body = new URLSearchParams(fields).toString();
  return postSigned(url, body, { contentType: 'application/x-www-form-urlencoded', ...options });
}

export function postInteraction(url: string, payload: unknown): Promise<Response> {
  return postForm(url, { payload: JSON.stringify(payload) });
}
