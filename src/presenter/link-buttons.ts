import type { Button } from '@slack/types';
import { plain } from './blocks.ts';
import { LIMITS } from './limits.ts';

const MAX_URL = 3_000;
const WORD = 'Open ';

/** A page that may be opened, and the host that a person judges it by. */
export type SafeLink = { href: string; host: string };

/**
 * The links that may be offered, each once: https, with no user name before the host. What was refused when the
 * stream was read is refused here again, because a button is the last place where it can be.
 */
export function safeLinks(links: readonly string[]): SafeLink[] {
  const safe = links.flatMap((link) => {
    if (link.length > MAX_URL || !URL.canParse(link)) return [];
    const url = new URL(link);
    const isSafe =
      url.protocol === 'https:' && url.username === '' && url.password === '' && url.href.length <= MAX_URL;
    return isSafe ? [{ href: url.href, host: url.host }] : [];
  });
  return safe.filter(({ href }, index) => safe.findIndex((other) => other.href === href) === index);
}

/** A button that opens a page and says which host it leads to. */
export function linkButton({ href, host }: SafeLink, { actionId, value }: { actionId: string; value: string }): Button {
  const text = plain(`${WORD}${hostWithin(host, LIMITS.button.text - WORD.length)}`, LIMITS.button.text);
  return { type: 'button', action_id: actionId, text, url: href, value };
}

/** The end of a host says whose it is (`bank.example.attacker.net`), so a long one loses its beginning. */
function hostWithin(host: string, max: number): string {
  return host.length <= max ? host : `…${host.slice(host.length - max + 1)}`;
}
