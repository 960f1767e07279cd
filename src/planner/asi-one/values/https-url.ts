const MAX_URL_CHARS = 2_000;
/** A host name with a top-level domain: no IP address, no bare name such as `localhost`, no trailing dot. */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const SECRET_PARAMETER = /secret|password|api_?key|private_?key/i;

/**
 * A link that a person can be shown and judge by its host, as browsers understand it; undefined for any other.
 *
 * Only https on the usual port. A user name (`https://bank.example@evil.example`), an international host (`xn--`, which
 * can look like another one), an IP address, white space and backslashes are ways to look like somewhere else, so such
 * a link is refused whole rather than repaired.
 */
export function readHttpsUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_CHARS) return undefined;
  const text = value.trim();
  if (!/^https:\/\/[^/]/i.test(text) || /[\s\\]|\p{C}/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // The parser hides an empty user name, which still shows what follows it as the host.
  const authority = text.slice('https://'.length).split(/[/?#]/, 1)[0] ?? '';
  if (url.username !== '' || url.password !== '' || authority.includes('@') || url.port !== '') return undefined;
  if (!HOST.test(url.hostname) || url.hostname.split('.').some((label) => label.startsWith('xn--'))) return undefined;
  return url.href.length > MAX_URL_CHARS ? undefined : url.href;
}

/** Whether a link carries a secret in its query or fragment, as Stripe's return pages do. */
export function hasSecretParameter(href: string): boolean {
  const { searchParams, hash } = new URL(href);
  return [...searchParams.keys(), ...new URLSearchParams(hash.slice(1)).keys()].some((key) =>
    SECRET_PARAMETER.test(key),
  );
}
