import { type Party, readAgentParty } from '../payment/payee.ts';
import { type JsonRecord, own } from '../values/json-record.ts';

/** The documented statuses of a task that has ended. */
const ENDED = new Set(['completed', 'failed', 'error', 'timeout', 'skipped']);
/** Tasks remembered, and characters of their keys; a hostile plan has more of both. */
const MAX_TASKS = 1_000;
const MAX_KEY_CHARS = 100;

/** What is known of a task or phase after all that was said of it. */
type KnownTask = { key: string; hasEnded: boolean; agent: Party };

/**
 * Remembers what earlier events said of each task: plans come in pieces, so a task may name its agent in one event, ask
 * for a payment in the next and end in a third. The latest 1,000 are remembered.
 */
export interface TaskMemory {
  /** Takes in a piece of a task, and tells what is known of it now. */
  see(key: string, piece: JsonRecord): KnownTask;
}

export function createTaskMemory(): TaskMemory {
  const tasks = new Map<string, KnownTask>();
  return {
    see(longKey, piece) {
      const key = longKey.slice(0, MAX_KEY_CHARS);
      const before = tasks.get(key);
      const agent = readAgentParty(piece);
      const names = agent.name !== undefined || agent.address !== undefined;
      const known: KnownTask = {
        key,
        hasEnded: statusEnds(piece) ?? before?.hasEnded ?? false,
        agent: names ? agent : (before?.agent ?? agent),
      };
      tasks.delete(key);
      tasks.set(key, known);
      for (const oldest of tasks.keys()) {
        if (tasks.size <= MAX_TASKS) break;
        tasks.delete(oldest);
      }
      return known;
    },
  };
}

/** Whether a piece's status says that the task has ended; undefined when it tells no status. */
function statusEnds(piece: JsonRecord): boolean | undefined {
  const status = own(piece, 'status');
  return typeof status === 'string' && status.trim() !== '' ? ENDED.has(status.trim().toLowerCase()) : undefined;
}
