/** Lets so many pieces of work go on at once; the others wait in the order they came. */
export function createLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line: Array<() => void> = [];
  let active = 0;

  return async (work) => {
    if (active < max) active += 1;
    // Whoever ends hands its place on.
    else await new Promise<void>((resolve) => line.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else active -= 1;
    }
  };
}
