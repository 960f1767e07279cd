import { FileProblem, PROBLEMS } from './file-problem.ts';

/**
 * Slack's hosts for private files, over HTTPS on the usual port. An Enterprise Grid answers with a redirect to
 * `files-origin` that needs the token again (NousResearch/hermes-agent#114483); some types go to `slack-files.com`.
 */
const FILE_HOSTS = new Set(['files.slack.com', 'files-origin.slack.com']);
const PUBLIC_FILE_DOMAIN = 'slack-files.com';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

export type FileAccess = { token: string; apiUrl: string };

/** Whether the bot's token may be sent to a URL: Slack's file hosts, or the Web API's own origin (contract C40). */
export function mayDownloadFrom(url: URL, apiUrl: string): boolean {
  if (url.origin === new URL(apiUrl).origin) return true;
  if (url.protocol !== 'https:') return false;
  return FILE_HOSTS.has(url.host) || url.host === PUBLIC_FILE_DOMAIN || url.host.endsWith(`.${PUBLIC_FILE_DOMAIN}`);
}

/**
 * Opens a private file. Redirects are followed by hand, because each hop must be a host that may see the token.
 *
 * Throws a `FileProblem` for everything that Slack answers instead of the file.
 */
export async function openFile(
  access: FileAccess,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<Response> {
  let next = parseUrl(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (!mayDownloadFrom(next, access.apiUrl)) throw new FileProblem(refusalOf(next));
    const response = await fetch(next, {
      headers: { authorization: `Bearer ${access.token}` },
      redirect: 'manual',
      signal,
    });
    if (!REDIRECTS.has(response.status)) return checkAnswer(response);
    await response.body?.cancel();
    next = parseUrl(response.headers.get('location') ?? '', next);
  }
  throw new FileProblem(PROBLEMS.tooManyRedirects);
}

function parseUrl(url: string, base?: URL): URL {
  if (!URL.canParse(url, base?.href)) throw new FileProblem(PROBLEMS.unreadable);
  const parsed = new URL(url, base);
  if (parsed.username || parsed.password) throw new FileProblem(PROBLEMS.unreadable);
  return parsed;
}

/** Without the right to read a file, Slack redirects to the workspace's login page. */
function refusalOf(url: URL): string {
  const isSlack = url.hostname === 'slack.com' || url.hostname.endsWith('.slack.com');
  return isSlack ? PROBLEMS.loginPage : PROBLEMS.notInSlack;
}

async function checkAnswer(response: Response): Promise<Response> {
  const problem = problemOf(response);
  if (problem === null) return response;
  await response.body?.cancel();
  throw new FileProblem(problem);
}

function problemOf(response: Response): string | null {
  if (response.status === 401 || response.status === 403) return PROBLEMS.noAccess;
  if (response.status === 404 || response.status === 410) return PROBLEMS.deleted;
  if (response.status !== 200) return PROBLEMS.unreadable;
  const isPage = response.headers.get('content-type')?.toLowerCase().startsWith('text/html');
  return isPage ? PROBLEMS.loginPage : null;
}
