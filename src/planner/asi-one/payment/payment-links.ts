import { PLANNER_LIMITS } from '../limits.ts';
import { hasSecretParameter, readHttpsUrl } from '../values/https-url.ts';
import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { readJson } from '../values/json-text.ts';
import { dropSecrets, isSafeKey } from '../values/received-text.ts';

const MAX_LINKS = 5;
/** Names of a page to pay on; never those to return to afterwards. */
const LINK_KEYS = [
  'checkout_url',
  'checkout_link',
  'checkout_session_url',
  'payment_url',
  'payment_link',
  'payment_page_url',
  'pay_url',
  'hosted_url',
  'hosted_checkout_url',
  'hosted_invoice_url',
  'invoice_url',
  'url',
  'link',
  'links',
] as const;

/** Pages to pay on, from a payment request, its metadata and what its metadata holds per method; each once. */
export function readPaymentLinks(request: JsonRecord): string[] {
  const metadata = readJson(own(request, 'metadata'));
  const inside = isRecord(metadata) ? [metadata, ...innerRecords(metadata)] : [];
  const links = [request, ...inside].flatMap(linksOf);
  return [...new Set(links)].slice(0, MAX_LINKS);
}

function innerRecords(metadata: JsonRecord): JsonRecord[] {
  const keys = Object.keys(metadata).slice(0, PLANNER_LIMITS.listItems).filter(isSafeKey);
  return keys.map((key) => readJson(own(metadata, key))).filter(isRecord);
}

function linksOf(record: JsonRecord): string[] {
  return LINK_KEYS.flatMap((key) => {
    const value = own(record, key);
    return (Array.isArray(value) ? value.slice(0, PLANNER_LIMITS.listItems) : [value]).flatMap(readLink);
  });
}

/** A link as a string or as `{url}`; none if it would show a secret. */
function readLink(value: unknown): string[] {
  const href = readHttpsUrl(isRecord(value) ? own(value, 'url') : value);
  return href === undefined || hasSecretParameter(href) || dropSecrets(href) !== href ? [] : [href];
}
