import type { ClickContext, PauseCommands } from '../domain/ports/run-commands.ts';
import { cancelCard, chooseOnCard, submitCard } from './card-actions.ts';
import type { RunnerParts } from './context.ts';
import { authorisePause } from './find-pause.ts';
import { answerPause, chooseOption } from './pause-actions.ts';
import { openPayment, viewPayment } from './payments/open-payment.ts';
import { approvePayment, declinePayment } from './payments/payment-actions.ts';
import { type PauseResult, withRefusalNoted } from './refuse-click.ts';

/** What people do with open pauses. Each attempt that comes to nothing is in the audit trail. */
export function createPauseCommands(deps: RunnerParts): PauseCommands {
  async function noted<Result extends PauseResult>(
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
