/** A message that is edited. */
type Edited = { channelId: string; ts: string };

/**
 * When status messages were last edited, whoever edited them: a run's legs have a writer each, and states that are owed
 * come past them. Without a common memory two of these could edit one message in the same moment (contract C10).
 *
 * Also knows which messages a writer keeps up to date just now. Times are the clock's, in milliseconds.
 */
export interface EditPace {
  /** An edit begins or has ended. */
  note(message: Edited): void;
  /** How long the next edit of the message has to wait, in milliseconds. */
  waitMs(message: Edited): number;
  setLive(message: Edited, live: boolean): void;
  isLive(message: Edited): boolean;
}

/** Above this many messages, those that may be edited again anyhow are forgotten. */
const REMEMBERED = 1_000;

export function createEditPace(options: { editIntervalMs: number; now: () => number }): EditPace {
  const { editIntervalMs, now } = options;
  const editedAt = new Map<string, number>();
  const live = new Set<string>();

  function forgetOld(): void {
    // In the order of their last edit, so that the first one that counts ends it.
    for (const [key, at] of editedAt) {
      if (editedAt.size <= REMEMBERED || at + editIntervalMs > now()) return;
      editedAt.delete(key);
    }
  }

  return {
    note(message) {
      const key = keyOf(message);
      editedAt.delete(key);
      editedAt.set(key, now());
      forgetOld();
    },
    waitMs(message) {
      const last = editedAt.get(keyOf(message)) ?? Number.NEGATIVE_INFINITY;
      return Math.max(0, last + editIntervalMs - now());
    },
    setLive(message, isLive) {
      if (isLive) live.add(keyOf(message));
      else live.delete(keyOf(message));
    },
    isLive: (message) => live.has(keyOf(message)),
  };
}

function keyOf({ channelId, ts }: Edited): string {
  return `${channelId}/${ts}`;
}
