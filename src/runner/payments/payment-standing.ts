import { dayStartOf, type LedgerEntry } from '../../domain/payment.ts';
import { describeBlocked, describeCaps, describeStanding } from '../../policy/describe.ts';
import { evaluatePayment, type PaymentStanding } from '../../policy/evaluate.ts';
import { isAboveThreshold } from '../../policy/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PaymentDetails } from '../../presenter/payment/payment-view.ts';
import { mention } from '../../presenter/text/words.ts';
import type { RunnerDeps } from '../context.ts';

type StandingDeps = Pick<RunnerDeps, 'store' | 'policy' | 'now' | 'settings'>;

/** What a policy makes of a payment now, all its options together, with what was approved today. */
export async function standingNow(
  deps: Pick<StandingDeps, 'store' | 'now'>,
  { entry, policy }: { entry: LedgerEntry; policy: Policy },
): Promise<PaymentStanding> {
  const { channelId, requesterId, terms } = entry;
  const spentToday = await deps.store.ledger.spentToday({ ...entry, dayStart: dayStartOf(deps.now()) });
  return keepDemand(evaluatePayment({ policy, terms, option: null, requesterId, channelId, spentToday }), entry);
}

/** An entry keeps the strictest demand it ever met, also when the policy has become milder since. */
export function keepDemand(standing: PaymentStanding, { approversNeeded }: LedgerEntry): PaymentStanding {
  if (standing.kind === 'auto-decline' || approversNeeded === 1) return standing;
  const options = standing.options.map((option) => ({ ...option, approversNeeded }));
  return { ...standing, approversNeeded, options };
}

/** What a payment's card says beside its terms. */
export async function presentPayment(deps: StandingDeps, entry: LedgerEntry): Promise<PaymentDetails> {
  const standing = await standingNow(deps, { entry, policy: deps.policy() });
  return {
    entry,
    approversText: approversText(standing, entry),
    spentLines: spentLines(standing, entry),
    mustRetype: mustRetype(deps, entry),
  };
}

/** The policy has changed since it let people decide: what is left is to say no. */
function approversText(standing: PaymentStanding, { requesterId }: LedgerEntry): string {
  if (standing.kind !== 'auto-decline') return describeStanding(standing, { requesterId });
  return `nobody may approve it now; ${mention(requesterId)} (who asked) may decline it`;
}

/** What was approved today against the caps, and what stands in the way, in plain lines. */
export function spentLines(standing: PaymentStanding, { terms }: LedgerEntry): string[] {
  if (standing.kind === 'auto-decline') return [`The policy allows no approval of it: ${standing.reason}`];
  return [...describeCaps(standing.caps), ...describeBlocked(standing, terms.options.length)];
}

/** Whether one of the amounts is above the threshold of the settings; without one, never. */
export function mustRetype({ settings: { retypeAbove } }: StandingDeps, { terms }: LedgerEntry): boolean {
  return retypeAbove !== null && terms.options.some((option) => isAboveThreshold(option, retypeAbove));
}
