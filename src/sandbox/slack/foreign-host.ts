import { createServer } from 'node:http';

/** A host that is not Slack's: where a redirected download leads. It notes what it was shown. */
export type ForeignHost = {
  url: string;
  /** The requests it got, with their Authorization header; a token here is a token lost. */
  requests: () => readonly { path: string; authorization: string | null }[];
  close: () => Promise<void>;
};

/** Starts the foreign host on a free port. It answers every request with a small PNG. */
export async function createForeignHost(): Promise<ForeignHost> {
  const seen: { path: string; authorization: string | null }[] = [];
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', authorization: request.headers.authorization ?? null });
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  const port = await listen(server, 0);
  return { url: `http://localhost:${port}`, requests: () => seen, close: () => closeServer(server) };
}

/** Listens on loopback; the port. */
export function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
      else reject(new Error('The server has no port'));
    });
  });
}

/** Closes a server and every connection it still has. */
export function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
