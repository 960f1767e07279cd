import type { App, RespondFn, SlashCommand } from '@slack/bolt';
import { SlackError } from '../../errors.ts';
import { commandRefusedText, helpText, statusListText, stopAllText } from '../../presenter/texts.ts';
import { commandKey } from '../inbox/classify.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { tellInChannel } from '../tell-privately.ts';

type Asked = { deps: ListenerDeps; command: SlashCommand; respond: RespondFn };

async function tell({ deps, command, respond }: Asked, text: string): Promise<void> {
  await tellInChannel(deps, { actorId: command.user_id, channelId: command.channel_id, threadTs: null, respond, text });
}

async function showStatus(asked: Asked): Promise<void> {
  const status = await asked.deps.commands.statusFor(asked.command.user_id);
  await tell(asked, statusListText({ ...status, now: asked.deps.now() }));
}

async function stopRuns(asked: Asked): Promise<void> {
  const { user_id: actorId, channel_id: channelId } = asked.command;
  await tell(asked, stopAllText(await asked.deps.commands.stopAll({ actorId, channelId })));
}

async function startRun(asked: Asked, text: string): Promise<void> {
  const { command } = asked;
  try {
    await asked.deps.commands.receiveCommand({
      requestKey: commandKey(command),
      // In a shared channel the command may name its sender's workspace; threads go by the one the app is installed in.
      teamId: asked.deps.identity.current()?.teamId ?? command.team_id,
      channelId: command.channel_id,
      actorId: command.user_id,
      text,
    });
  } catch (error) {
    if (!(error instanceof SlackError) || error.retryable) throw error;
    await tell(asked, commandRefusedText(error.slackCode));
  }
}

/** `/steward` (contract C3): its subcommands are exact words, and every other text is a request. */
export function listenToSteward(app: App, deps: ListenerDeps): void {
  // The command was acknowledged when it was stored. Any name: an operator may have renamed it in the manifest.
  app.command(/.*/, async ({ command, respond }) => {
    const asked = { deps, command, respond };
    const text = (command.text ?? '').trim();
    const word = text.toLowerCase();
    if (word === '' || word === 'help') return tell(asked, helpText());
    if (word === 'status') return showStatus(asked);
    if (word === 'stop') return stopRuns(asked);
    return startRun(asked, text);
  });
}
