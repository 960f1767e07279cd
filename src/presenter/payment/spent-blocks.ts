import type { KnownBlock } from '@slack/types';
import { context } from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { label } from '../text/label.ts';
import { splitMrkdwn } from '../text/split-text.ts';

const CONTEXTS = 3;
const LINE = 300;

/** What was approved today against the caps, and what stands in the way, in small print. `lines` are plain. */
export function spentBlocks(lines: readonly string[]): KnownBlock[] {
  // One line each: a currency in it is the agent's, and must not begin a line of its own.
  const text = lines.map((line) => escapeMrkdwn(label(line, LINE) ?? '')).join('\n');
  return splitMrkdwn(text, LIMITS.context.text).slice(0, CONTEXTS).map(context);
}
