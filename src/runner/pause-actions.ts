import { type CardDecision, type ClarificationDecision, isPauseOf, type Pause } from '../domain/pause.ts';
import type { ActionResult, ClickContext } from '../domain/ports/run-commands.ts';
import type { RunnerParts } from './context.ts';
import { decide } from './decide.ts';
import { authorisePause } from './find-pause.ts';

/** An option of a clarification. */
export async function chooseOption(
  deps: RunnerParts,
  input: { pauseId: string; optionIndex: number; click: ClickContext },
): Promise<ActionResult> {
  const authorised = await authorisePause(deps, input.pauseId, input.click);
  if (authorised.kind !== 'open') return authorised;
  const { pause } = authorised;
  const answer = isPauseOf(pause, 'clarification') ? pause.request.options[input.optionIndex] : undefined;
  // Blank ones are not offered.
  if (answer === undefined || answer.trim() === '') return { kind: 'unknown' };
  const decision = { kind: 'clarification', answer, source: 'option', requestKey: null } as const;
  return decide(deps, { pause, decision, termsDigest: null, actorId: input.click.actorId });
}

/** Words of one's own, from the modal of a clarification or card. */
export async function answerPause(
  deps: RunnerParts,
  input: { pauseId: string; text: string; termsDigest: string; click: ClickContext },
): Promise<ActionResult> {
  const authorised = await authorisePause(deps, input.pauseId, input.click);
  if (authorised.kind !== 'open') return authorised;
  const { pause } = authorised;
  const decision = wordsDecision(pause, { text: input.text, source: 'modal', requestKey: null });
  if (!decision) return { kind: 'unknown' };
  return decide(deps, { pause, decision, termsDigest: input.termsDigest, actorId: input.click.actorId });
}

/** Words as a decision of the pause's kind; null for a payment, which no words decide. */
export function wordsDecision(
  pause: Pause,
  words: { text: string; source: 'modal' | 'reply'; requestKey: string | null },
): ClarificationDecision | CardDecision | null {
  const { text, ...given } = words;
  if (pause.request.kind === 'clarification') return { kind: 'clarification', answer: text, ...given };
  if (pause.request.kind === 'payment') return null;
  return { kind: 'card', label: null, selection: {}, text, isCancelled: false, ...given };
}
