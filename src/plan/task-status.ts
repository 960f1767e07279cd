import type { TaskStatus } from '../domain/plan.ts';

/**
 * The planner's status words in Slack's four. Documented are `completed, failed, error, timeout, skipped` as final and
 * `pending, waiting_response, searching_agents, analyzing_image` as running, in an open set (docs.asi1.ai, planner
 * page); the others are the usual words for the same.
 */
const WORDS: ReadonlyMap<string, TaskStatus> = new Map([
  ['pending', 'pending'],
  ['queued', 'pending'],
  ['waiting', 'pending'],
  ['created', 'pending'],
  ['planned', 'pending'],
  ['scheduled', 'pending'],
  ['not_started', 'pending'],
  ['todo', 'pending'],
  ['completed', 'complete'],
  ['complete', 'complete'],
  ['done', 'complete'],
  ['finished', 'complete'],
  ['success', 'complete'],
  ['succeeded', 'complete'],
  ['skipped', 'complete'],
  ['failed', 'error'],
  ['failure', 'error'],
  ['error', 'error'],
  ['errored', 'error'],
  ['timeout', 'error'],
  ['timed_out', 'error'],
  ['cancelled', 'error'],
  ['canceled', 'error'],
  ['rejected', 'error'],
]);

/** Slack's word for a planner's. A word not known is something that goes on. */
export function toTaskStatus(word: string): TaskStatus {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return WORDS.get(plain) ?? 'in_progress';
}
