import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './answers/reading.ts';
import type { Leg, PlainStep, When } from './scenario.ts';

/** What was answered: as it was understood, and in its own words. */
export type Given = { answer: Answer; text: string };

/** A leg as it plays after this answer: each `when` step replaced by the steps of its branch. */
export function chooseSteps(leg: Leg, given: Given): PlainStep[] {
  return leg.flatMap((step) => {
    if (!('when' in step)) return [step];
    return chooseSteps(isSo(step.when, given) ? step.steps : (step.otherwise ?? []), given);
  });
}

/** Whether all that a condition names is so. */
function isSo({ says, option, selection, answer }: When, given: Given): boolean {
  if (says !== undefined && says !== given.answer.says) return false;
  if (option !== undefined && !(given.answer.says === 'approve' && given.answer.option === option)) return false;
  if (answer !== undefined && answer !== given.text.trim()) return false;
  if (selection === undefined) return true;
  const made = given.answer.says === 'choice' ? given.answer.selection : {};
  return Object.entries(selection).every(([key, value]) => isDeepStrictEqual(made[key], value));
}
