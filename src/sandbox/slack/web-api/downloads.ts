import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxState } from '../state.ts';
import { readToken } from './body.ts';

const LOGIN_PAGE = `<!DOCTYPE html><html lang="en-US"><head><title>Slack</title></head>
<body><form action="/signin"><h1>Sign in to your workspace</h1></form></body></html>`;

function sendLoginPage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(LOGIN_PAGE);
}

/** Serves `/files-pri/<team>-<file>/…` as Slack's file host does: without token or scope, the login page with 200. */
export function answerDownload(state: SandboxState, request: IncomingMessage, response: ServerResponse): number {
  const id = /\/files-pri\/[^/-]+-([^/]+)\//.exec(request.url ?? '')?.[1];
  const file = id === undefined ? undefined : state.files.find(id);
  const authorised = readToken(request, {}) === state.setup.botToken && state.setup.scopes.includes('files:read');
  if (!authorised || file?.download === 'login_page') sendLoginPage(response);
  else if (file === undefined || file.download === 'missing') response.writeHead(404).end('File not found');
  else if (file.download === 'redirect') {
    response.writeHead(302, { location: `${state.foreignUrl}/stolen/${file.id}` }).end();
  } else {
    response.writeHead(200, { 'content-type': file.mimetype, 'content-length': file.content.byteLength });
    response.end(file.content);
  }
  return response.statusCode;
}
