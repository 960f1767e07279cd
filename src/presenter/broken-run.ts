import { isResumable, type Run } from '../domain/run.ts';
import { failureSentence } from './failure-text.ts';

/** What a card shows of its run. */
export type CardRun = Pick<Run, 'id' | 'requesterId' | 'state' | 'failure' | 'turns' | 'choice' | 'stopRequestedBy'>;

/**
 * Said on the card of a decision after which the run could not go on, while nobody has chosen yet what to do about it
 * (our own mrkdwn); null for any other run. `kept` is a sentence on what Resume does with the decision.
 */
export function brokenWords(run: CardRun, kept: string): string | null {
  const isBroken = (run.state === 'failed' || run.state === 'interrupted') && run.choice === null;
  if (!isBroken) return null;
  return `*The run could not go on.* ${failureSentence(run.failure)}${isResumable(run) ? ` ${kept}` : ''}`;
}
