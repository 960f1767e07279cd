import type { Selection } from '../domain/card.ts';
import { type CardDecision, isPauseOf, type PauseOf } from '../domain/pause.ts';
import type { ActionResult, ClickContext } from '../domain/ports/run-commands.ts';
import type { RunnerParts } from './context.ts';
import { decide } from './decide.ts';
import { authorisePause } from './find-pause.ts';

/** The ways in which a card is answered by buttons; words are in pause-actions.ts and answer-by-reply.ts. */

const NOTHING: Pick<CardDecision, 'label' | 'selection' | 'text' | 'isCancelled'> = {
  label: null,
  selection: {},
  text: null,
  isCancelled: false,
};

/** A choice of a card that asks for nothing more. */
export async function chooseOnCard(
  deps: RunnerParts,
  chosen: { pauseId: string; choiceIndex: number; click: ClickContext },
): Promise<ActionResult> {
  const found = await findCard(deps, chosen.pauseId, chosen.click);
  if (found.kind !== 'card') return found;
  const { card } = found.pause.request;
  const choice = card.choices[chosen.choiceIndex];
  if (!choice || card.fields.length > 0) return { kind: 'unknown' };
  const answer = { ...NOTHING, label: choice.label, selection: choice.selection, source: 'option' } as const;
  return decideCard(deps, { pause: found.pause, answer, termsDigest: null, actorId: chosen.click.actorId });
}

/** The card's modal: `selection` is what was filled in, merged with the choice's. */
export async function submitCard(
  deps: RunnerParts,
  sent: {
    pauseId: string;
    choiceIndex: number | null;
    selection: Selection;
    termsDigest: string;
    click: ClickContext;
  },
): Promise<ActionResult> {
  const found = await findCard(deps, sent.pauseId, sent.click);
  if (found.kind !== 'card') return found;
  const choice = sent.choiceIndex === null ? undefined : found.pause.request.card.choices[sent.choiceIndex];
  if (sent.choiceIndex !== null && !choice) return { kind: 'unknown' };
  const answer = { ...NOTHING, label: choice?.label ?? null, selection: sent.selection, source: 'modal' } as const;
  return decideCard(deps, {
    pause: found.pause,
    answer,
    termsDigest: sent.termsDigest,
    actorId: sent.click.actorId,
  });
}

export async function cancelCard(deps: RunnerParts, pauseId: string, click: ClickContext): Promise<ActionResult> {
  const found = await findCard(deps, pauseId, click);
  if (found.kind !== 'card') return found;
  const answer = { ...NOTHING, isCancelled: true, source: 'option' } as const;
  return decideCard(deps, { pause: found.pause, answer, termsDigest: null, actorId: click.actorId });
}

async function findCard(
  deps: RunnerParts,
  pauseId: string,
  click: ClickContext,
): Promise<{ kind: 'card'; pause: PauseOf<'card'> } | ActionResult> {
  const authorised = await authorisePause(deps, pauseId, click);
  if (authorised.kind !== 'open') return authorised;
  return isPauseOf(authorised.pause, 'card') ? { kind: 'card', pause: authorised.pause } : { kind: 'unknown' };
}

function decideCard(
  deps: RunnerParts,
  decided: {
    pause: PauseOf<'card'>;
    answer: Omit<CardDecision, 'kind' | 'requestKey'>;
    termsDigest: string | null;
    actorId: string;
  },
): Promise<ActionResult> {
  const { answer, ...rest } = decided;
  return decide(deps, { ...rest, decision: { kind: 'card', requestKey: null, ...answer } });
}
