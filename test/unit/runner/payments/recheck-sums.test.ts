import { describe, expect, it } from 'vitest';
import { NOTHING_SPENT } from '../../../../src/domain/payment.ts';
import type { RecheckJudgement } from '../../../../src/domain/ports/approval-judge.ts';
import { withApprovalRecheck } from '../../../../src/runner/payments/with-approval-recheck.ts';
import { policyFor } from '../../policy/policy-factories.ts';
import { anApproved } from '../../presenter/money-factories.ts';

const CAPPED = policyFor('[U1]', 'caps: { workspace-per-day: { USD: 30 } }');

/** What becomes of 25 USD that CAPPED allowed at `allowedAt`, at `at`; whoever approved needs no second look. */
async function recheck(when: { allowedAt: string; at: string }, spent: string) {
  const entry = anApproved({ allowedAt: new Date(when.allowedAt), policyDigest: CAPPED.digest });
  const spentToday = { ...NOTHING_SPENT, workspace: [{ currency: 'USD', amount: spent }] };
  const deps = {
    policy: () => CAPPED,
    people: { lookUp: () => Promise.reject(new Error('Slack is not to be asked')) },
    now: () => new Date(when.at),
  };
  let dayStart: Date | undefined;
  const judgement = await withApprovalRecheck<RecheckJudgement>(deps, {
    approversTrustedForMs: 60_000,
    async write(recheck) {
      ({ dayStart } = recheck);
      const judged = recheck.judge({ entry, spentToday });
      return judged.kind === 'people-unknown' ? { ...judged, entry } : judged;
    },
  });
  return { judgement, dayStart };
}

describe('an approval that the policy in force has just allowed', () => {
  const aSecondAgo = { allowedAt: '2030-01-01T12:00:00Z', at: '2030-01-01T12:00:01Z' };

  it('goes out at exactly a cap', async () => {
    expect((await recheck(aSecondAgo, '5.00')).judgement).toMatchObject({ kind: 'allowed' });
  });

  it('is held back where others have used what was left, by a process whose policy allows more', async () => {
    expect((await recheck(aSecondAgo, '5.01')).judgement).toMatchObject({ kind: 'withheld' });
  });

  it('is held back where a day that has begun since has no room for it', async () => {
    const overMidnight = { allowedAt: '2030-01-01T23:59:59Z', at: '2030-01-02T00:00:01Z' };
    const { judgement, dayStart } = await recheck(overMidnight, '5.01');
    expect(dayStart).toEqual(new Date('2030-01-02T00:00:00Z'));
    expect(judgement).toMatchObject({ kind: 'withheld', reason: expect.stringContaining('30 USD') });
  });
});
