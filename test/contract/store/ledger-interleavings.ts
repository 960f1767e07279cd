import fc from 'fast-check';
import { expect } from 'vitest';
import type { LedgerEntry, LedgerState, SpendingScope } from '../../../src/domain/payment.ts';
import { type Db, transact } from '../../../src/store/database.ts';
import { approve } from '../../../src/store/ledger/approvals.ts';
import {
  decline,
  expire,
  getEntry,
  markSent,
  markUnknown,
  type NewLedgerEntry,
  settle,
} from '../../../src/store/ledger/ledger-moves.ts';
import { spentToday } from '../../../src/store/ledger/spending.ts';

type Where = { entry: number; process: 0 | 1 };

/** Something that happens to one of the entries, in one of two processes. */
export type LedgerStep =
  | (Where & { do: 'approve'; person: string; option: 0 | 1 })
  | (Where & { do: 'decline' | 'expire' | 'markSent' | 'settle' | 'markUnknown' });

const where = { entry: fc.nat({ max: 1 }), process: fc.constantFrom(0 as const, 1 as const) };

export const ledgerStepArbitrary: fc.Arbitrary<LedgerStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      ...where,
      do: fc.constant('approve' as const),
      person: fc.constantFrom('U1', 'U2', 'U3'),
      option: fc.constantFrom(0 as const, 1 as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ ...where, do: fc.constantFrom('markSent' as const, 'settle' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...where,
      do: fc.constantFrom('decline' as const, 'expire' as const, 'markUnknown' as const),
    }),
  },
);

const AT = new Date('2030-01-01T09:00:00Z');
const TERMS_SEEN = { termsDigest: 'digest-1', at: AT };

const NEXT: Record<LedgerState, readonly LedgerState[]> = {
  requested: ['approved', 'declined', 'expired'],
  approved: ['sent', 'unknown'],
  sent: ['settled', 'unknown'],
  settled: [],
  declined: [],
  expired: [],
  // Only what was never told, when a person resumes the run.
  unknown: ['sent'],
};

function isReachable(from: LedgerState, to: LedgerState, passed: readonly LedgerState[] = []): boolean {
  const ahead = NEXT[from].filter((next) => !passed.includes(next));
  return from === to || ahead.some((next) => isReachable(next, to, [...passed, from]));
}

/** Plays steps at once, then checks everything that must hold between two looks at the ledger. */
export function createLedgerActors(processes: [Db, Db], entries: NewLedgerEntry[], scope: SpendingScope) {
  const [db] = processes;
  const before = new Map<string, LedgerEntry>();
  const approvals = new Map<string, number>();
  const sent = new Map<string, LedgerEntry>();
  let counted = new Map<string, number>();

  async function take(step: LedgerStep): Promise<void> {
    const { pauseId, runId, approversNeeded } = entries[step.entry] as NewLedgerEntry;
    const result = await transact(processes[step.process], async (trx) => {
      switch (step.do) {
        case 'approve':
          return approve(trx, {
            pauseId,
            approverId: step.person,
            optionIndex: step.option,
            ...TERMS_SEEN,
            approversNeeded,
            policyDigest: 'policy-1',
          });
        case 'decline':
          return decline(trx, { pauseId, at: AT });
        case 'expire':
          return expire(trx, { pauseId, at: AT });
        case 'markSent':
          return markSent(trx, { runId, at: AT });
        case 'settle':
          return settle(trx, { runId, at: AT });
        case 'markUnknown':
          return markUnknown(trx, { runId, at: AT });
      }
    });
    if (Array.isArray(result)) {
      for (const entry of result.filter(({ state }) => state === 'sent')) sent.set(entry.pauseId, entry);
    } else if (result && 'kind' in result && result.kind === 'approved') {
      approvals.set(pauseId, (approvals.get(pauseId) ?? 0) + 1);
    }
  }

  async function check(): Promise<void> {
    for (const { pauseId, approversNeeded } of entries) {
      const now = (await getEntry(db, pauseId)) as LedgerEntry;
      const was = before.get(pauseId);
      before.set(pauseId, now);
      expect(isReachable(was?.state ?? 'requested', now.state)).toBe(true);
      expect(new Set(now.approverIds).size).toBe(now.approverIds.length);
      expect(now.approverIds.slice(0, was?.approverIds.length ?? 0)).toEqual(was?.approverIds ?? []);
      expect(now.approverIds.length === approversNeeded).toBe(now.approvedAt !== null);
      expect(approvals.get(pauseId) ?? 0).toBe(now.approvedAt === null ? 0 : 1);
    }
    await checkSums();
  }

  /** Each option is in a currency of its own, so that one payment of it is one amount. */
  async function checkSums(): Promise<void> {
    const sums = new Map<string, number>();
    for (const { currency, amount } of (await spentToday(db, scope)).workspace) sums.set(currency, Number(amount));
    for (const [currency, amount] of counted) expect(sums.get(currency)).toBeGreaterThanOrEqual(amount);
    const owed = new Map<string, number>();
    for (const { terms, optionIndex } of sent.values()) {
      const option = terms.options[optionIndex ?? -1];
      if (!option) continue;
      const currency = option.currency.toUpperCase();
      owed.set(currency, (owed.get(currency) ?? 0) + Number(option.amount));
    }
    for (const [currency, amount] of owed) expect(sums.get(currency)).toBeGreaterThanOrEqual(amount);
    counted = sums;
  }

  return {
    async takeAtOnce(steps: readonly LedgerStep[]): Promise<void> {
      await Promise.all(steps.map(take));
      await check();
    },
  };
}
