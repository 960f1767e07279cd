import { median } from '../statistics.ts';

const ROUNDS = 9;
const ROUND_MS = 30;

/** Microseconds per call of each work: they take turns, so that a busy machine slows all of them; median of rounds. */
export function microsecondsEach<Name extends string>(works: Record<Name, () => void>): Record<Name, number> {
  const names = Object.keys(works) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      const perCall = timeCalls(works[name]);
      // The first round is for the compiler.
      if (round > 0) times.get(name)?.push(perCall);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

function timeCalls(work: () => void): number {
  const startedAt = performance.now();
  let calls = 0;
  let elapsedMs = 0;
  while (elapsedMs < ROUND_MS) {
    work();
    calls += 1;
    elapsedMs = performance.now() - startedAt;
  }
  return (elapsedMs / calls) * 1_000;
}
