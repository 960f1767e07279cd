import { cardOperation } from '../../domain/outbox.ts';
import { isPauseOf, type Pause, type PauseOf, type PaymentDecision } from '../../domain/pause.ts';
import { dayStartOf, type LedgerEntry } from '../../domain/payment.ts';
import type { Person } from '../../domain/ports/people.ts';
import type { ActionResult, ClickContext, OpenPayment } from '../../domain/ports/run-commands.ts';
import { decisionTurn } from '../../pause/decision-turn.ts';
import type { PaymentStanding } from '../../policy/evaluate.ts';
import { approvableOptions, mayDecline } from '../../policy/may-approve.ts';
import type { RunnerParts } from '../context.ts';
import { concludeDecision, decide } from '../decide.ts';
import { findOpenPause } from '../pause-actions.ts';
import { approverOf, explained, judgeApproval } from './judge-approval.ts';
import { lookUpPeople } from './look-up-people.ts';
import { mustRetype, spentLines, standingNow } from './payment-standing.ts';

type Opened = { pause: PauseOf<'payment'>; entry: LedgerEntry; standing: PaymentStanding };

/** The open payment that was clicked on, with what the policy makes of it now; says nothing of who clicked. */
async function findPayment(
  deps: RunnerParts,
  pauseId: string,
  click: ClickContext,
): Promise<{ kind: 'found'; opened: Opened } | ActionResult> {
  const found = await findOpenPause(deps, pauseId, click);
  if (found.kind !== 'open') return found;
  const entry = await deps.store.ledger.get(pauseId);
  if (!entry || !isPauseOf(found.pause, 'payment')) return { kind: 'unknown' };
  return { kind: 'found', opened: { pause: found.pause, entry, standing: await standingNow(deps, entry) } };
}

function toOpenPayment(deps: RunnerParts, { pause, entry, standing }: Opened): OpenPayment {
  return { kind: 'open', pause, mustRetype: mustRetype(deps, entry), spentLines: spentLines(standing, entry) };
}

export async function viewPayment(
  deps: RunnerParts,
  pauseId: string,
  click: ClickContext,
): Promise<OpenPayment | ActionResult> {
  const found = await findPayment(deps, pauseId, click);
  return found.kind === 'found' ? toOpenPayment(deps, found.opened) : found;
}

/** Checks before the modal opens what will be checked again when it is sent: a window that cannot do anything is no help. */
export async function openPayment(
  deps: RunnerParts,
  asked: { pauseId: string; intent: 'approve' | 'decline'; click: ClickContext },
): Promise<OpenPayment | ActionResult> {
  const found = await findPayment(deps, asked.pauseId, asked.click);
  if (found.kind !== 'found') return found;
  const answer = await mayDo(deps, { ...found.opened, intent: asked.intent, actorId: asked.click.actorId });
  return answer.allowed ? toOpenPayment(deps, found.opened) : { kind: 'refused', reason: answer.reason };
}

type Intent = Opened & { intent: 'approve' | 'decline'; actorId: string };

async function mayDo(
  deps: RunnerParts,
  { entry, standing, intent, actorId }: Intent,
): Promise<{ allowed: true } | { allowed: false; reason: string }> {
  const people = await lookUpPeople(deps, { entry, standing, userIds: [actorId] });
  const person: Person | undefined = people.get(actorId);
  if (!person) return { allowed: false, reason: 'It is not clear who you are.' };
  const { requesterId, approverIds: alreadyApproved } = entry;
  const input = { ...approverOf(person), policy: deps.policy(), standing, requesterId, alreadyApproved };
  return explained(intent === 'approve' ? approvableOptions(input) : mayDecline(input), person);
}

/** Whether a person may approve or decline a waiting payment, as things stand. */
export async function mayDecideNow(deps: RunnerParts, pause: Pause, actorId: string): Promise<boolean> {
  const entry = await deps.store.ledger.get(pause.id);
  if (!entry || !isPauseOf(pause, 'payment')) return false;
  const standing = await standingNow(deps, entry);
  return (await mayDo(deps, { pause, entry, standing, intent: 'decline', actorId })).allowed;
}

type WantedApproval = { pauseId: string; optionIndex: number; termsDigest: string; click: ClickContext };

/** Two people approve at most: whoever finds that somebody else was quicker needs one more look at who that is. */
const TRIES = 2;

/** The only way to approve a payment: by the submitted modal (contract C18). */
export async function approvePayment(deps: RunnerParts, approval: WantedApproval): Promise<ActionResult> {
  const { pauseId, optionIndex, termsDigest, click } = approval;
  for (let tries = 1; ; tries += 1) {
    const found = await findPayment(deps, pauseId, click);
    if (found.kind !== 'found') return found;
    const { pause } = found.opened;
    if (termsDigest !== pause.termsDigest) return { kind: 'terms-changed', pause };
    if (!pause.request.terms.options[optionIndex]) return { kind: 'refused', reason: 'There is no such option.' };
    const { result, isOvertaken } = await approveOpened(deps, { approval, opened: found.opened });
    if (!isOvertaken || tries === TRIES) return result;
  }
}

/** `isOvertaken`: refused only because somebody has approved since Slack was asked who approved before. */
async function approveOpened(
  deps: RunnerParts,
  { approval, opened }: { approval: WantedApproval; opened: Opened },
): Promise<{ result: ActionResult; isOvertaken: boolean }> {
  const { pause, entry, standing } = opened;
  const { pauseId, optionIndex, termsDigest, click } = approval;
  const approverId = click.actorId;
  const people = await lookUpPeople(deps, { entry, standing, userIds: [approverId, ...entry.approverIds] });
  const policy = deps.policy();
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
      isOvertaken = !facts.entry.approverIds.every((id) => people.has(id));
      return judgeApproval({ policy, optionIndex, approverId, people }, facts);
    },
  });
  if (verdict.kind === 'refused') return { result: verdict, isOvertaken };
  if (verdict.kind !== 'one-more-needed')
    return { result: await concludeDecision(deps, { pause, at, verdict }), isOvertaken: false };
  deps.sender.sendSoon(cardOperation(pauseId));
  return { result: { kind: 'one-more-needed' }, isOvertaken: false };
}

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
