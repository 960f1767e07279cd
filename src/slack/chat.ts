import type { WebClient } from '@slack/web-api';
import { type SetTimer, startTimer } from '../async/timer.ts';
import type { Chat, StatusWriter } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { People } from '../domain/ports/people.ts';
import type { Telemetry } from '../domain/ports/telemetry.ts';
import { SlackError } from '../errors.ts';
import { type BlockFallback, createBlockFallback } from './block-fallback.ts';
import { createClients, type SlackClients } from './clients.ts';
import { createEditBudget, type EditBudget } from './edits/edit-budget.ts';
import { createEditPace, type EditPace } from './edits/edit-pace.ts';
import { createStatusWriter } from './edits/status-writer.ts';
import { downloadImage } from './files/download-image.ts';
import { uploadText } from './files/upload-text.ts';
import { findPosted } from './find-posted.ts';
import { createIdentity, type TokenIdentity } from './identity.ts';
import { callSlack } from './map-error.ts';
import { INERT_TEXT, postMessage, updateMessage } from './messages.ts';
import { createPeople } from './people.ts';

type ChatOptions = {
  /** The bot's token, `xoxb-…`. */
  token: string;
  /** Base of the Web API; its origin may also serve files. */
  apiUrl: string;
  /** Shortest time between two edits of one status message. */
  editIntervalMs: number;
  /** Edits of all status messages of the workspace together. */
  editsPerMinute: number;
  logger: Logger;
  telemetry: Pick<Telemetry, 'statusEdit'>;
  now?: () => number;
  setTimer?: SetTimer;
};

/** The port, and what only the wiring needs of it. */
export type SlackChat = Chat & {
  identity: TokenIdentity;
  /** Who is clicking, asked anew each time. */
  people: People;
  /** For modals, which a person waits for. */
  views: WebClient['views'];
  /** Ends every writer and waits for the edits under way. */
  close(): Promise<void>;
};

type Parts = {
  options: ChatOptions;
  clients: SlackClients;
  budget: EditBudget;
  pace: EditPace;
  blockFallback: BlockFallback;
  writers: Set<StatusWriter>;
};

/**
 * Slack for one workspace, over its Web API. Owns the edit budget and the writers that are open. Nothing here tries
 * again by itself but status edits; everything else is the outbox's to repeat.
 */
export function createChat(options: ChatOptions): SlackChat {
  const { logger, now = Date.now, setTimer = startTimer } = options;
  const clients = createClients(options);
  const client = clients.posts;
  const budget = createEditBudget({ editsPerMinute: options.editsPerMinute, now, setTimer });
  const pace = createEditPace({ editIntervalMs: options.editIntervalMs, now });
  const blockFallback = createBlockFallback(logger);
  const identity = createIdentity(clients.replies);
  const parts: Parts = { options, clients, budget, pace, blockFallback, writers: new Set() };

  return {
    identity,
    people: createPeople({ client: clients.replies, identity, logger }),
    views: clients.replies.views,
    post: (target, content) => postMessage({ client, blockFallback, logger }, { target, content }),
    update: (message, content) =>
      updateOwed(parts, message, () => updateMessage({ client, blockFallback }, { message, content })),
    uploadText: (target, file) => uploadText(client, { target, file }),
    findPosted: (target) => findPosted({ client, logger, identity }, target),
    whisper: (to) => whisper(clients, to),
    downloadImage: (file) => downloadImage({ ...options, client }, file),
    statusPace: (message) => ({
      waitMs: pace.waitMs(message),
      limitedMs: budget.pausedForMs(),
      isLive: pace.isLive(message),
    }),
    openStatus: (message) => openStatus(parts, message),
    async close() {
      await Promise.all([...parts.writers].map((writer) => writer.close()));
      budget.close();
    },
  };
}

/** An update that is owed does not wait for the budget, but Slack counts it, and a 429 on it is meant for edits too. */
async function updateOwed(
  { budget, pace }: Parts,
  message: { channelId: string; ts: string },
  update: () => Promise<void>,
): Promise<void> {
  budget.spend();
  pace.note(message);
  try {
    await update();
  } catch (error) {
    if (error instanceof SlackError && error.retryAfterMs !== null) budget.pause(error.retryAfterMs);
    throw error;
  } finally {
    pace.note(message);
  }
}

async function whisper({ replies }: SlackClients, to: Parameters<Chat['whisper']>[0]): Promise<void> {
  await callSlack('chat.postEphemeral', () =>
    replies.chat.postEphemeral({
      channel: to.channelId,
      user: to.userId,
      text: to.text,
      ...(to.threadTs === null ? {} : { thread_ts: to.threadTs }),
      ...INERT_TEXT,
    }),
  );
}

function openStatus(parts: Parts, message: { channelId: string; ts: Promise<string> }): StatusWriter {
  const { options, clients, budget, pace, blockFallback, writers } = parts;
  const { editIntervalMs, logger, telemetry, setTimer = startTimer } = options;
  const paced = createStatusWriter({
    ...message,
    edit: (posted, content) => updateMessage({ client: clients.edits, blockFallback }, { message: posted, content }),
    budget,
    pace,
    editIntervalMs,
    logger,
    telemetry,
    setTimer,
  });
  const writer: StatusWriter = {
    show: (draw) => paced.show(draw),
    async close() {
      writers.delete(writer);
      await paced.close();
    },
  };
  writers.add(writer);
  return writer;
}
