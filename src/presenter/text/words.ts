/** A Slack mention that pings: only for ids that came from Slack itself. */
export function mention(userId: string): string {
  return `<@${userId}>`;
}

/** `1 answer`, `2 answers`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(position: number): string {
  const lastTwo = position % 100;
  const suffix = lastTwo > 10 && lastTwo < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][position % 10] ?? 'th');
  return `${position}${suffix}`;
}
