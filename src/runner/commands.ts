import { notice, rootOperation } from '../domain/outbox.ts';
import type { RunCommands } from '../domain/ports/run-commands.ts';
import { commandRootText } from '../presenter/texts.ts';
import type { RunnerParts } from './context.ts';
import { createPauseCommands } from './pause-commands.ts';
import { admitRun, receiveRequest } from './receive-request.ts';
import { chooseByClick, resumeByClick, stopByClick } from './run-actions.ts';
import { stopAll, stopRun } from './stop-run.ts';
import { waitingFor } from './waiting-for.ts';

const STATUS_LIMIT = 20;
/** Wait for a command's message that another delivery is posting; the command is worked on again after that. */
const ROOT_WITHIN_MS = 5000;

/** What people can do to runs, behind the port that intake knows. */
export function createRunCommands(deps: RunnerParts): RunCommands {
  return {
    receive: (request) => receiveRequest(deps, request),
    receiveCommand: (command) => receiveCommand(deps, command),
    async requestDeleted(where) {
      const run = await deps.store.runs.byRequest(where);
      if (run) await stopRun(deps, run.id, run.requesterId);
    },
    stopAll: (where) => stopAll(deps, where),
    stop: (runId, click) => stopByClick(deps, runId, click),
    resume: (runId, click) => resumeByClick(deps, runId, click),
    choose: (runId, action, click) => chooseByClick(deps, { runId, action, click }),
    ...createPauseCommands(deps),
    async statusFor(actorId) {
      const [runs, pauses] = await Promise.all([
        deps.store.runs.liveOf(actorId, STATUS_LIMIT),
        waitingFor(deps, { actorId, limit: STATUS_LIMIT }),
      ]);
      return { runs, ...pauses };
    },
  };
}

/**
 * A slash command has no message to thread under, so the bot posts one that names the requester and the request, and
 * the run lives below it (contract C3).
 *
 * @throws {SlackError} when Slack refuses the message, for example because the bot is not in the channel
 */
async function receiveCommand(deps: RunnerParts, command: Parameters<RunCommands['receiveCommand']>[0]): Promise<void> {
  const { requestKey, teamId, channelId, actorId, text } = command;
  const operationId = rootOperation(requestKey);
  const where = { channelId, threadTs: null };
  await deps.store.outbox.add(notice(where, { operationId, text: commandRootText({ actorId, text }) }));
  await deps.sender.send(operationId);
  // Posted above, or just now by the sweep.
  const threadTs = await deps.sender.posted(operationId, AbortSignal.timeout(ROOT_WITHIN_MS));
  await admitRun(deps, {
    requestKey,
    thread: { teamId, channelId, threadTs },
    requesterId: actorId,
    requestTs: null,
    source: 'command',
    text,
    files: [],
  });
}
