import { cardOperation } from '../../domain/outbox.ts';
import type { PaymentDecision } from '../../domain/pause.ts';
import { dayStartOf } from '../../domain/payment.ts';
import type { ActionResult, ClickContext } from '../../domain/ports/run-commands.ts';
import { decisionTurn } from '../../pause/decision-turn.ts';
import { APPROVAL_REFUSALS } from '../../policy/approval-refusals.ts';
import type { RunnerParts } from '../context.ts';
import { concludeDecision, decide } from '../decide.ts';
import { judgeApproval } from './judge-approval.ts';
import { lookUpPeople } from './look-up-people.ts';
import { findPayment, mayDo, type Opened } from './open-payment.ts';

type WantedApproval = { pauseId: string; optionIndex: number; termsDigest: string; click: ClickContext };

/**
 * Two people approve at most: whoever finds that somebody else was quicker needs one more look at who that is. And one
 * more for a policy that is read again meanwhile.
 */
const TRIES = 3;

/** The only way to approve a payment: by the submitted modal (contract C18). */
export async function approvePayment(deps: RunnerParts, approval: WantedApproval): Promise<ActionResult> {
  const { pauseId, optionIndex, termsDigest, click } = approval;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const found = await findPayment(deps, pauseId, click);
    if (found.kind !== 'found') return found;
    const { pause } = found.opened;
    if (termsDigest !== pause.termsDigest) return { kind: 'terms-changed', pause };
    if (!pause.request.terms.options[optionIndex]) return refused('no-such-option');
    const result = await approveOpened(deps, { approval, opened: found.opened });
    if (result.kind !== 'overtaken') return result;
  }
  return refused('overtaken');
}

function refused(why: keyof typeof APPROVAL_REFUSALS): ActionResult {
  return { kind: 'refused', reason: APPROVAL_REFUSALS[why] };
}

/** `overtaken`: somebody has approved, or the policy was read again, since Slack was asked who approves. */
async function approveOpened(
  deps: RunnerParts,
  { approval, opened }: { approval: WantedApproval; opened: Opened },
): Promise<ActionResult | { kind: 'overtaken' }> {
  const { pause, entry, standing, policy: asked } = opened;
  const { pauseId, optionIndex, termsDigest, click } = approval;
  const approverId = click.actorId;
  const people = await lookUpPeople(deps, { entry, standing, userIds: [approverId, ...entry.approverIds] });
  const decision: PaymentDecision = { kind: 'payment', verdict: 'approve', optionIndex, reason: null };
  const at = deps.now();
  let isOvertaken = false;
  const verdict = await deps.store.pauses.approve({
    pauseId,
    termsDigest,
    optionIndex,
    turn: decisionTurn(pause.request, decision),
    actorId: approverId,
    at,
    dayStart: dayStartOf(at),
    judge(facts) {
      const policy = deps.policy();
      isOvertaken = policy !== asked || !facts.entry.approverIds.every((id) => people.has(id));
      if (isOvertaken) return { allowed: false, reason: APPROVAL_REFUSALS.overtaken };
      return judgeApproval({ policy, optionIndex, approverId, people }, facts);
    },
  });
  if (verdict.kind === 'refused') return isOvertaken ? { kind: 'overtaken' } : verdict;
  if (verdict.kind === 'not-approvable') return refused(verdict.obstacle);
  if (verdict.kind !== 'one-more-needed') return concludeDecision(deps, { pause, at, verdict });
  deps.sender.sendSoon(cardOperation(pauseId));
  return { kind: 'one-more-needed' };
}

/** A refusal, by whoever may decide the payment; it needs no reason. */
export async function declinePayment(
  deps: RunnerParts,
  refusal: { pauseId: string; reason: string | null; termsDigest: string; click: ClickContext },
): Promise<ActionResult> {
  const { reason, termsDigest, click } = refusal;
  const found = await findPayment(deps, refusal.pauseId, click);
  if (found.kind !== 'found') return found;
  const answer = await mayDo(deps, { ...found.opened, intent: 'decline', actorId: click.actorId });
  if (!answer.allowed) return { kind: 'refused', reason: answer.reason };
  return decide(deps, {
    pause: found.opened.pause,
    decision: { kind: 'payment', verdict: 'decline', optionIndex: null, reason },
    termsDigest,
    actorId: click.actorId,
  });
}
