import type { KnownBlock } from '@slack/types';
import { isResumable, type Run } from '../domain/run.ts';
import { ACTION_IDS } from './action-ids.ts';
import { actions, button } from './blocks.ts';
import { failureSentence } from './failure-text.ts';
import { mention } from './text/words.ts';

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

/** Why the card of a stopped run needs nobody any more, as the beginning of a sentence of our own mrkdwn. */
export function stoppedWords({ stopRequestedBy }: Pick<CardRun, 'stopRequestedBy'>): string {
  return `The run was stopped${stopRequestedBy ? ` by ${mention(stopRequestedBy)}` : ''}`;
}

/** An expired card's only button (contract C24); none once somebody has chosen. */
export function startOverBlocks({ id, choice }: Pick<CardRun, 'id' | 'choice'>): KnownBlock[] {
  return choice ? [] : [actions([button({ actionId: ACTION_IDS.startOverRun, label: 'Start over', value: id })])];
}
