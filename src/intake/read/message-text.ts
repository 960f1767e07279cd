const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Whether the text mentions a user, as `<@U1>` or `<@U1|name>`. */
export function mentions(text: string, userId: string): boolean {
  return text.includes(`<@${userId}>`) || text.includes(`<@${userId}|`);
}

/** Whether the text mentions anybody at all. */
export function mentionsSomebody(text: string): boolean {
  return /<@[UW][A-Z0-9]*[>|]/.test(text);
}

/** Slack's markup of a link, `<https://x.example|words>`. What people type as `<` comes as an entity. */
const LINK = /<((?:https?|ftp|mailto|tel):[^|>\s]+)(?:\|([^>]*))?>/g;
const CHANNEL = /<#[CG][A-Z0-9]*\|([^>]+)>/g;

const withoutSlash = (address: string): string => address.replace(/\/$/, '');

/** A link as it was typed. Slack makes one of every bare address; only words of the writer's own are kept beside it. */
function typedLink(url: string, words: string | undefined): string {
  const address = url.replace(/^(?:mailto|tel):/, '');
  const isOwnWords = words !== undefined && words !== '' && !withoutSlash(address).endsWith(withoutSlash(words));
  return isOwnWords ? `${words} (${address})` : address;
}

/**
 * What a person asked, as it was typed: the bot's own mention is taken off the start and becomes "@Steward" elsewhere,
 * links and channels lose Slack's markup, and Slack's three entities are decoded. Mentions of others stay as they are.
 *
 * With `botUserId` null (not known yet), whoever is mentioned at the start is taken for the bot.
 */
export function readText(text: string, botUserId: string | null): string {
  const mention = botUserId === null ? '<@[UW][A-Z0-9]*(?:\\|[^>]*)?>' : `<@${botUserId}(?:\\|[^>]*)?>`;
  const addressed = text.replace(new RegExp(`^(?:\\s*${mention}[\\s,:;]*)+`), '');
  const named = botUserId === null ? addressed : addressed.replace(new RegExp(mention, 'g'), '@Steward');
  const typed = named
    .replace(LINK, (_markup, url: string, words?: string) => typedLink(url, words))
    .replace(CHANNEL, '#$1');
  return typed.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity).trim();
}
