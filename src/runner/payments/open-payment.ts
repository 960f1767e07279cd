import { isPauseOf, type Pause, type PauseOf } from '../../domain/pause.ts';
import type { LedgerEntry } from '../../domain/payment.ts';
import type { ActionResult, ClickContext, OpenPayment } from '../../domain/ports/run-commands.ts';
import type { PaymentStanding } from '../../policy/evaluate.ts';
import { type MayApprove, mayApproveSome, mayDecline } from '../../policy/may-approve.ts';
import type { Policy } from '../../policy/policy.ts';
import type { RunnerParts } from '../context.ts';
import { findOpenPause } from '../find-pause.ts';
import { approverOf, explained } from './judge-approval.ts';
import { lookUpPeople } from './look-up-people.ts';
import { mustRetype, spentLines, standingNow } from './payment-standing.ts';

/** What people see of an open payment, and whether they may decide it. Nothing here decides. */

/** An open payment with what `policy`, which was in force a moment ago, makes of it. */
export type Opened = { pause: PauseOf<'payment'>; entry: LedgerEntry; policy: Policy; standing: PaymentStanding };

async function lookAt(deps: RunnerParts, asked: Pick<Opened, 'pause' | 'entry'>): Promise<Opened> {
  const policy = deps.policy();
  return { ...asked, policy, standing: await standingNow(deps, { entry: asked.entry, policy }) };
}

/** The open payment that was clicked on; says nothing of who clicked. */
export async function findPayment(
  deps: RunnerParts,
  pauseId: string,
  click: ClickContext,
): Promise<{ kind: 'found'; opened: Opened } | ActionResult> {
  const found = await findOpenPause(deps, pauseId, click);
  if (found.kind !== 'open') return found;
  const entry = await deps.store.ledger.get(pauseId);
  if (!entry || !isPauseOf(found.pause, 'payment')) return { kind: 'unknown' };
  return { kind: 'found', opened: await lookAt(deps, { pause: found.pause, entry }) };
}

function toOpenPayment(deps: RunnerParts, { pause, entry, standing }: Opened): OpenPayment {
  return { kind: 'open', pause, mustRetype: mustRetype(deps, entry), spentLines: spentLines(standing, entry) };
}

/** The payment that a modal was about, for reading what it sent. */
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

/** Whether a person may do this with a payment, as things stand; for approving asked again under the locks. */
export async function mayDo(deps: RunnerParts, intended: Intent): Promise<MayApprove> {
  const { entry, policy, standing, intent, actorId } = intended;
  const people = await lookUpPeople(deps, { entry, standing, userIds: [actorId] });
  const person = people.get(actorId);
  if (!person) return { allowed: false, reason: 'It is not clear who you are.' };
  const { requesterId, approverIds: alreadyApproved } = entry;
  const input = { ...approverOf(person), policy, standing, requesterId, alreadyApproved };
  return explained(intent === 'approve' ? mayApproveSome(input) : mayDecline(input), person);
}

/** Whether a person may approve or decline a waiting payment, as things stand. */
export async function mayDecideNow(deps: RunnerParts, pause: Pause, actorId: string): Promise<boolean> {
  const entry = await deps.store.ledger.get(pause.id);
  if (!entry || !isPauseOf(pause, 'payment')) return false;
  const opened = await lookAt(deps, { pause, entry });
  return (await mayDo(deps, { ...opened, intent: 'decline', actorId })).allowed;
}
