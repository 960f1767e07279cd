import { expect, it } from 'vitest';
import { createLimit } from '../../../src/async/limit.ts';

it('lets no more go on at once than its number, and starts the others in order as places come free', async () => {
  const limit = createLimit(2);
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) =>
    limit(() => {
      events.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = ['a', 'b', 'c', 'd'].map(work);
  expect(events).toEqual(['a', 'b']);
  ends.get('b')?.();
  await all[1];
  expect(events).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c']) ends.get(name)?.();
  await Promise.all([all[0], all[2]]);
  ends.get('d')?.();
  await Promise.all(all);
  expect(events).toEqual(['a', 'b', 'c', 'd']);
});

it('frees the place of work that fails', async () => {
  const limit = createLimit(1);
  await expect(limit(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await limit(async () => 'done')).toBe('done');
});
