/** Works on what belongs together in the order it came, and on all else side by side. */
interface Lanes {
  /** Starts the work once the lane's earlier work is over, however that ended; null is no lane. The work's outcome. */
  run<T>(lane: string | null, work: () => Promise<T>): Promise<T>;
}

export function createLanes(): Lanes {
  const last = new Map<string, Promise<unknown>>();

  return {
    run(lane, work) {
      if (lane === null) return work();
      const done = (last.get(lane) ?? Promise.resolve()).then(work);
      const settled = done
        .catch(() => undefined)
        .finally(() => {
          if (last.get(lane) === settled) last.delete(lane);
        });
      last.set(lane, settled);
      return done;
    },
  };
}
