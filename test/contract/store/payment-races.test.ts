import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LedgerState } from '../../../src/domain/payment.ts';
import type { Run } from '../../../src/domain/run.ts';
import type { ThreadRef } from '../../../src/domain/thread.ts';
import { verifyChain } from '../../../src/store/audit/audit-chain.ts';
import type { SqlPool } from '../../../src/store/connection/sql-pool.ts';
import { createDatabase } from '../../../src/store/database.ts';
import { admitOne, newThread } from './build.ts';
import { terminate } from './crashing-pool.ts';
import { checkInvariants, finishAll } from './interleavings.ts';
import { onEachDatabase } from './on-each-database.ts';
import { createPaymentActors } from './payment-actors.ts';
import { createBookkeeper } from './payment-invariants.ts';
import { paymentStepArbitrary } from './payment-steps.ts';

const STEPS_AT_ONCE = 4;
const RUNS_PER_THREAD = 4;

Decimal.set({ precision: 60 });

onEachDatabase('pauses, decisions and payments under races and crashes', (database, isShared) => {
  /** Runs that wait in two threads of a workspace of its own. */
  async function admitAll(threads: readonly ThreadRef[]): Promise<Run[]> {
    const runs: Run[] = [];
    for (let index = 0; index < RUNS_PER_THREAD; index++) {
      for (const thread of threads) {
        runs.push(await admitOne(database.store, { thread, requesterId: index % 2 === 0 ? 'U1' : 'U5' }));
      }
    }
    return runs;
  }

  it('decide once, resume once, and never show less than was sent, whatever happens in whatever order', async () => {
    const other: SqlPool = isShared ? await database.openOtherPool() : database.pool;
    const seen = new Map<LedgerState, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(paymentStepArbitrary, { minLength: 30, maxLength: 120, size: 'max' }),
        async (steps) => {
          const teamId = randomUUID();
          const threads: [ThreadRef, ThreadRef] = [
            { ...newThread(), teamId },
            { ...newThread(), teamId },
          ];
          const runs = await admitAll(threads);
          const actors = createPaymentActors([database.pool, other], threads, isShared ? terminate : null);
          const bookkeeper = createBookkeeper(database.store, database.pool, runs);
          for (let at = 0; at < steps.length; at += STEPS_AT_ONCE) {
            await Promise.all(steps.slice(at, at + STEPS_AT_ONCE).map((step) => actors.take(step)));
            await checkInvariants(database.pool);
            await bookkeeper.check(actors.witnessed);
          }
          await finishAll(
            database.store,
            runs.map(({ thread }) => thread),
          );
          await checkInvariants(database.pool);
          for (const { state } of await bookkeeper.check(actors.witnessed)) seen.set(state, (seen.get(state) ?? 0) + 1);
          expect(await verifyChain(createDatabase(database.pool))).toMatchObject({ ok: true });
        },
      ),
      // What fails depends on timing too: fewer steps would say little.
      { numRuns: 20, endOnFailure: true },
    );
  }, 240_000);
});
