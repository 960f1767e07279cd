/** A span of time as people say it: `45 s`, `2 min 05 s`, `1 h 03 min`. Negative spans count as none. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

/** A span of time that nobody counts by the second: `about 45 s`, `about 30 min`, `about 2 h`. */
function aboutText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `about ${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60)} h`;
}

/** Until when a card waits, as our own mrkdwn. A card is seldom drawn again, so it names the whole span of time. */
export function untilText({ openedAt, deadlineAt }: { openedAt: Date; deadlineAt: Date }): string {
  return `until ${slackTime(deadlineAt)} (${aboutText(deadlineAt.getTime() - openedAt.getTime())} in all)`;
}

/**
 * Slack's date token: each reader sees the time in their own time zone; the fallback names UTC.
 * Source: docs.slack.dev, "Formatting message text", date formatting.
 */
export function slackTime(at: Date): string {
  return `<!date^${Math.floor(at.getTime() / 1_000)}^{time}|${utcTime(at)}>`;
}

/** ` at 14:05`, with the space before it; nothing when the moment is not known. */
export function atTime(at: Date | null): string {
  return at === null ? '' : ` at ${slackTime(at)}`;
}

/** The time of day where no date token is rendered, such as notifications: `14:05 UTC`. */
export function utcTime(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
