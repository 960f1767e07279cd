import { describe, expect, it } from 'vitest';
import { createLanes } from '../../../src/async/lanes.ts';

function createGate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('lanes', () => {
  it('start work only when the earlier work of their lane is over', async () => {
    const lanes = createLanes();
    const gate = createGate();
    const done: string[] = [];
    const first = lanes.run('a', async () => {
      await gate.opened;
      done.push('first');
    });
    const second = lanes.run('a', async () => void done.push('second'));
    await lanes.run('b', async () => void done.push('other lane'));
    await lanes.run(null, async () => void done.push('no lane'));
    expect(done).toEqual(['other lane', 'no lane']);
    gate.open();
    await Promise.all([first, second]);
    expect(done).toEqual(['other lane', 'no lane', 'first', 'second']);
  });

  it('go on after a failure, which is told to whoever brought the work', async () => {
    const lanes = createLanes();
    const failing = lanes.run('a', () => Promise.reject(new Error('no')));
    const after = lanes.run('a', async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await after).toBe('done');
  });
});
