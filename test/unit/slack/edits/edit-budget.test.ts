import { describe, expect, it } from 'vitest';
import { createEditBudget, type EditBudget } from '../../../../src/slack/edits/edit-budget.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';

type Grant = { name: string; at: number };

/** A writer that asks again as soon as it was served. */
function keepAsking(
  { budget, clock, grants }: { budget: EditBudget; clock: FakeClock; grants: Grant[] },
  { name, urgent }: { name: string; urgent: boolean },
): void {
  const ask = (): void => {
    budget.request({
      urgent,
      grant: () => {
        grants.push({ name, at: clock.now() });
        ask();
        return true;
      },
    });
  };
  ask();
}

function setUp(editsPerMinute: number) {
  const clock = createFakeClock();
  const budget = createEditBudget({ editsPerMinute, now: clock.now, setTimer: clock.setTimer });
  const grants: Grant[] = [];
  return { clock, budget, grants };
}

describe('the edits of a workspace', () => {
  it.each([1, 7, 45, 600])('stay within %d in any minute, the first included, and use it', async (editsPerMinute) => {
    const stage = setUp(editsPerMinute);
    keepAsking(stage, { name: 'a', urgent: true });

    await stage.clock.advance(5 * 60_000);

    const busiest = Math.max(
      ...stage.grants.map(({ at }) => stage.grants.filter((other) => other.at >= at && other.at < at + 60_000).length),
    );
    expect(busiest).toBeLessThanOrEqual(editsPerMinute);
    expect(stage.grants.length).toBeGreaterThan(editsPerMinute * 4);
  });

  it('are shared out in turns', async () => {
    const stage = setUp(45);
    for (const name of ['a', 'b', 'c', 'd']) keepAsking(stage, { name, urgent: true });

    await stage.clock.advance(10 * 60_000);

    const perRun = ['a', 'b', 'c', 'd'].map((name) => stage.grants.filter((grant) => grant.name === name).length);
    expect(Math.max(...perRun) - Math.min(...perRun)).toBeLessThanOrEqual(1);
  });

  it('go to what changed first, but a silent run keeps a quarter', async () => {
    const stage = setUp(45);
    keepAsking(stage, { name: 'silent', urgent: false });
    for (const name of ['a', 'b']) keepAsking(stage, { name, urgent: true });

    await stage.clock.advance(10 * 60_000);

    const silent = stage.grants.filter((grant) => grant.name === 'silent').length;
    expect(silent / stage.grants.length).toBeCloseTo(0.25, 1);
  });

  it('let a change pass a thousand silent runs', async () => {
    const stage = setUp(45);
    for (let index = 0; index < 1_000; index += 1) keepAsking(stage, { name: 'silent', urgent: false });
    await stage.clock.advance(60_000);
    const askedAt = stage.clock.now();
    stage.grants.length = 0;
    keepAsking(stage, { name: 'busy', urgent: true });

    await stage.clock.advance(10_000);

    const first = stage.grants.find((grant) => grant.name === 'busy');
    expect(first && first.at - askedAt).toBeLessThan(5_000);
  });

  it('cost nothing when there is nothing to show', async () => {
    const { clock, budget } = setUp(1);
    let asked = 0;
    for (let index = 0; index < 10; index += 1) {
      budget.request({
        urgent: true,
        grant: () => {
          asked += 1;
          return false;
        },
      });
    }

    await clock.advance(0);

    expect(asked).toBe(10);
  });

  it('wait while Slack says so, and go on after it', async () => {
    const stage = setUp(45);
    stage.budget.pause(20_000);
    const startedAt = stage.clock.now();
    keepAsking(stage, { name: 'a', urgent: true });

    await stage.clock.advance(60_000);

    expect(stage.grants[0]?.at).toBe(startedAt + 20_000);
  });

  it('stop at once when one of them meets a limit', async () => {
    const { clock, budget } = setUp(45);
    const startedAt = clock.now();
    const grantedAt: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      budget.request({
        urgent: true,
        grant: () => {
          grantedAt.push(clock.now() - startedAt);
          if (index === 0) budget.pause(10_000);
          return true;
        },
      });
    }

    await clock.advance(60_000);

    expect(grantedAt).toEqual([0, 10_000, 10_000]);
  });

  it('are made sooner for a silent run in which something happens', async () => {
    const stage = setUp(1);
    for (const name of ['a', 'b']) keepAsking(stage, { name, urgent: false });
    await stage.clock.advance(0);
    const ticket = stage.budget.request({
      urgent: false,
      grant: () => {
        stage.grants.push({ name: 'woken', at: stage.clock.now() });
        return true;
      },
    });
    ticket.hurry();

    await stage.clock.advance(60_000);

    expect(stage.grants.map((grant) => grant.name)).toEqual(['a', 'woken']);
  });

  it('make room for edits that are owed', async () => {
    const { clock, budget } = setUp(9);
    budget.spend();
    const startedAt = clock.now();
    let grantedAt = 0;
    budget.request({
      urgent: true,
      grant: () => {
        grantedAt = clock.now();
        return true;
      },
    });

    await clock.advance(60_000);

    expect(grantedAt - startedAt).toBeGreaterThan(6_000);
  });

  it('are not made for a wish that was withdrawn, and leave no timer behind when closed', async () => {
    const { clock, budget } = setUp(45);
    const ticket = budget.request({ urgent: true, grant: () => expect.unreachable() });
    ticket.cancel();
    await clock.advance(1_000);
    budget.request({ urgent: true, grant: () => expect.unreachable() });
    budget.close();

    await clock.advance(60_000);

    expect(clock.timers()).toBe(0);
  });
});
