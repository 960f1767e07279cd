import type { IncomingMessage } from 'node:http';
import { isJson, type Json } from '../json.ts';

/** The whole body of a request. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function readForm(body: Buffer, contentType: string): Promise<Json> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  const entries: [string, unknown][] = [];
  for (const [name, value] of form) {
    entries.push([name, typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer())]);
  }
  return Object.fromEntries(entries);
}

/** The arguments of a call: query, then a form, multipart or JSON body. null if the body cannot be read as it says. */
export async function readArgs(request: IncomingMessage, body: Buffer, query: URLSearchParams): Promise<Json | null> {
  const fromQuery = Object.fromEntries(query);
  const contentType = request.headers['content-type'] ?? '';
  if (body.length === 0) return fromQuery;
  try {
    if (/^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(contentType)) {
      return { ...fromQuery, ...(await readForm(body, contentType)) };
    }
    const parsed: unknown = JSON.parse(body.toString());
    return isJson(parsed) ? { ...fromQuery, ...parsed } : null;
  } catch {
    return null;
  }
}

/** The token of a request: the Authorization header, else the `token` argument. */
export function readToken(request: IncomingMessage, args: Json): string | null {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  return bearer ?? (typeof args.token === 'string' ? args.token : null);
}
