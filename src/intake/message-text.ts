const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Whether the text mentions a user, as `<@U1>` or `<@U1|name>`. */
export function mentions(text: string, userId: string): boolean {
  return text.includes(`<@${userId}>`) || text.includes(`<@${userId}|`);
}

/** Whether the text mentions anybody at all. */
export function mentionsSomebody(text: string): boolean {
  return /<@[UW][A-Z0-9]*[>|]/.test(text);
}

/**
 * What a person asked: the bot's own mention is taken off the start and becomes "@Steward" elsewhere, and Slack's three
 * entities are decoded. All other markup stays as Slack wrote it.
 *
 * With `botUserId` null (not known yet), whoever is mentioned at the start is taken for the bot.
 */
export function readText(text: string, botUserId: string | null): string {
  const mention = botUserId === null ? '<@[UW][A-Z0-9]*(?:\\|[^>]*)?>' : `<@${botUserId}(?:\\|[^>]*)?>`;
  const addressed = text.replace(new RegExp(`^(?:\\s*${mention}[\\s,:;]*)+`), '');
  const named = botUserId === null ? addressed : addressed.replace(new RegExp(mention, 'g'), '@Steward');
  return named.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity).trim();
}
