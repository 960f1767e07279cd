/** Values kept, of which only the latest counts: as many as still may turn out to be the latest of an open task. */
const MAX_KEPT = 50;

/** Keeps one value per holder, and whether its holder is open; the latest of an open one counts most. */
export interface Latest<T> {
  see(key: string, entry: { value: T; isOpen: boolean }): void;
  /** The holder of an earlier value has ended or was opened again. */
  setOpen(key: string, isOpen: boolean): void;
  forget(): void;
  /** The latest value whose holder is open, or else the latest of all; null without any. */
  value(): T | null;
}

export function createLatest<T>(): Latest<T> {
  const entries = new Map<string, { value: T; isOpen: boolean }>();
  return {
    see(key, entry) {
      entries.delete(key);
      entries.set(key, { ...entry });
      const [oldest] = entries.keys();
      if (entries.size > MAX_KEPT && oldest !== undefined) entries.delete(oldest);
    },
    setOpen(key, isOpen) {
      const entry = entries.get(key);
      if (entry !== undefined) entry.isOpen = isOpen;
    },
    forget: () => entries.clear(),
    value() {
      const kept = [...entries.values()];
      return (kept.findLast(({ isOpen }) => isOpen) ?? kept.at(-1))?.value ?? null;
    },
  };
}
