import type { ClickContext, RunCommands } from '../domain/ports/run-commands.ts';
import { cancelCard, chooseOnCard, submitCard } from './card-actions.ts';
import type { RunnerParts } from './context.ts';
import { answerPause, authorisePause, chooseOption } from './pause-actions.ts';
import { approvePayment, declinePayment, openPayment, viewPayment } from './payments/payment-actions.ts';
import { withRefusalNoted } from './refuse-click.ts';

type PauseCommands = Pick<
  RunCommands,
  | 'openPause'
  | 'chooseOption'
  | 'answer'
  | 'chooseOnCard'
  | 'submitCard'
  | 'cancelCard'
  | 'openPayment'
  | 'viewPayment'
  | 'approve'
  | 'decline'
>;

/** What people do with open pauses. Each attempt that comes to nothing is in the audit trail. */
export function createPauseCommands(deps: RunnerParts): PauseCommands {
  async function noted<Result extends { kind: string; reason?: string }>(
    pauseId: string,
    click: ClickContext,
    acting: Promise<Result>,
  ): Promise<Result> {
    return withRefusalNoted(deps, { pauseId, actorId: click.actorId }, await acting);
  }

  return {
    openPause: (pauseId, click) => noted(pauseId, click, authorisePause(deps, pauseId, click)),
    chooseOption: (pauseId, optionIndex, click) =>
      noted(pauseId, click, chooseOption(deps, { pauseId, optionIndex, click })),
    answer: (pauseId, answer, click) => noted(pauseId, click, answerPause(deps, { pauseId, ...answer, click })),
    chooseOnCard: (pauseId, choiceIndex, click) =>
      noted(pauseId, click, chooseOnCard(deps, { pauseId, choiceIndex, click })),
    submitCard: (pauseId, submitted, click) =>
      noted(pauseId, click, submitCard(deps, { pauseId, ...submitted, click })),
    cancelCard: (pauseId, click) => noted(pauseId, click, cancelCard(deps, pauseId, click)),
    openPayment: (pauseId, intent, click) => noted(pauseId, click, openPayment(deps, { pauseId, intent, click })),
    viewPayment: (pauseId, click) => noted(pauseId, click, viewPayment(deps, pauseId, click)),
    approve: (pauseId, approval, click) => noted(pauseId, click, approvePayment(deps, { pauseId, ...approval, click })),
    decline: (pauseId, refusal, click) => noted(pauseId, click, declinePayment(deps, { pauseId, ...refusal, click })),
  };
}
