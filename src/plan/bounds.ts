/** What a plan may grow to (contract C37). What is beyond is counted, not kept. */
export const PLAN_BOUNDS = {
  phases: 200,
  tasks: 2_000,
  /** Tasks left out that are still told apart; beyond, the count stands still. */
  omittedTracked: 20_000,
  keyChars: 200,
  agentsFound: 20,
  /** Characters of status words, titles, agents and tools. */
  labelChars: 500,
  /** Characters of messages, replies, errors and reasoning. */
  textChars: 2_000,
} as const;

/** A text of at most `maxChars` characters, with an ellipsis where it was cut; never half a surrogate pair. */
export function bound(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
