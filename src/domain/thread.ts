/**
 * What a conversation lives in: a Slack thread.
 *
 * `teamId` is the workspace the app is installed in (not the author's, which differs in Slack Connect channels);
 * `threadTs` is the ts of the thread's first message, never of a reply.
 */
export type ThreadRef = { teamId: string; channelId: string; threadTs: string };

/** One line that names a thread in logs. */
export function threadName(thread: ThreadRef): string {
  return `${thread.teamId}/${thread.channelId}/${thread.threadTs}`;
}
