import type { Chat, ImageResult } from '../domain/ports/chat.ts';
import type { PlannerContent, PlannerTurn } from '../domain/ports/planner.ts';
import type { ClaimedLeg } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import type { Turn } from '../domain/turn.ts';
import { requestWords } from '../pause/approval-words.ts';

/** What the planner is told, and which of the request's files it could not be given. */
export type Conversation = { turns: PlannerTurn[]; problems: string[] };

/**
 * The run's whole `messages`: the thread's earlier requests and answers, the request with its images, and what was
 * said since (contract C9, C22, C31). Images are downloaded for every leg, so that none is kept.
 */
export async function buildConversation(
  chat: Pick<Chat, 'downloadImage'>,
  claimed: Pick<ClaimedLeg, 'run' | 'priorTurns'>,
): Promise<Conversation> {
  const images = await Promise.all(claimed.run.files.map((file) => chat.downloadImage(file)));
  return {
    turns: [
      ...claimed.priorTurns.map(withWords),
      { role: 'user', content: requestContent(claimed.run, images) },
      ...claimed.run.turns,
    ],
    problems: problemsOf(images),
  };
}

function problemsOf(images: readonly ImageResult[]): string[] {
  return images.flatMap((image) => ('problem' in image ? [image.problem] : []));
}

/** Planners refuse an empty message; an earlier request may have been images alone. */
function withWords(turn: Turn): Turn {
  if (turn.role !== 'user') return turn;
  return { ...turn, content: turn.content === '' ? '(a request of images only)' : requestWords(turn.content) };
}

function requestContent(run: Run, images: readonly ImageResult[]): string | PlannerContent[] {
  const parts = images.flatMap((image): PlannerContent[] =>
    'dataUrl' in image ? [{ type: 'image', dataUrl: image.dataUrl }] : [],
  );
  if (parts.length === 0)
    return requestWords(run.text === '' ? `I sent you files: ${problemsOf(images).join(' ')}` : run.text);
  return run.text === '' ? parts : [{ type: 'text', text: requestWords(run.text) }, ...parts];
}
