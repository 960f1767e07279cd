import type { SandboxMessage } from './history.ts';
import type { SandboxState } from './state.ts';

const MAX_TEXT = 300;

function line(state: SandboxState, message: SandboxMessage): string {
  const author = state.workspace.user(message.userId)?.name ?? message.userId;
  const blocks = message.blocks.map((block) => String(block.type)).join(' ');
  const marks = [
    message.deleted ? 'deleted' : '',
    message.ephemeralFor === null ? '' : `only for ${message.ephemeralFor}`,
    message.versions.length > 1 ? `edited ${message.versions.length - 1}x` : '',
    blocks === '' ? '' : `blocks: ${blocks}`,
  ].filter((mark) => mark !== '');
  const indent = message.threadTs === null ? '' : '    ';
  const notes = marks.length === 0 ? '' : ` [${marks.join('; ')}]`;
  return `${indent}${message.ts} ${author}: ${message.text.slice(0, MAX_TEXT)}${notes}`;
}

/** The present state for a person to read: every conversation with its messages, open views, the last calls. */
export function describeState(state: SandboxState): string {
  const messages = state.history.all();
  const channels = [...new Set(messages.map((message) => message.channel))];
  const conversations = channels.flatMap((channel) => [
    `#${state.workspace.channel(channel)?.name || channel}`,
    ...messages.filter((message) => message.channel === channel).map((message) => `  ${line(state, message)}`),
  ]);
  const views = state.views.all().filter((view) => view.open);
  const calls = state.calls.of().slice(-10);
  return [
    ...conversations,
    ...views.map((view) => `open view ${view.id} of ${view.userId}: ${JSON.stringify(view.view.title)}`),
    ...calls.map((call) => `call ${call.method}: ${call.ok ? 'ok' : (call.error ?? call.status ?? 'running')}`),
  ].join('\n');
}
