import type { App, RespondFn } from '@slack/bolt';
import { within } from '../../async/within.ts';
import type { Pause } from '../../domain/pause.ts';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { ACTION_IDS } from '../../presenter/action-ids.ts';
import { clarificationModal, loadingModal, noticeModal } from '../../presenter/modals.ts';
import { actionResultText, modalNotOpenedText } from '../../presenter/texts.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { type Click, readClick, tellResult, tellText } from './click.ts';

type Opened = { kind: 'open'; pause: Pause } | ActionResult;
type Pressed = { deps: ListenerDeps; click: Click; respond: RespondFn };

/** A trigger lives 3 s. A store that has not answered by now gets a placeholder opened before it does. */
const PATIENCE_MS = 500;

function answerView(click: Click, opened: Opened): ReturnType<typeof clarificationModal> {
  if (opened.kind !== 'open') return noticeModal(actionResultText(opened));
  const { channelId, messageTs } = click.context;
  return clarificationModal({ pause: opened.pause, channelId, messageTs });
}

async function openNow({ deps, click, respond }: Pressed, opened: Opened): Promise<void> {
  if (opened.kind !== 'open') return tellResult(deps, { click, respond, result: opened });
  await deps.views.open({ trigger_id: click.triggerId, view: answerView(click, opened) });
}

async function openThenFill({ deps, click }: Pressed, reading: Promise<Opened>): Promise<void> {
  const placeholder = await deps.views.open({ trigger_id: click.triggerId, view: loadingModal() });
  const viewId = placeholder.view?.id ?? '';
  await deps.views.update({ view_id: viewId, view: answerView(click, await reading) });
}

async function openAnswer(pressed: Pressed): Promise<void> {
  const { deps, click } = pressed;
  const reading = deps.commands.openPause(click.value, click.context);
  const opened = await within(reading, { ms: PATIENCE_MS, late: () => null });
  await (opened === null ? openThenFill(pressed, reading) : openNow(pressed, opened));
}

/** "Answer…": opens the modal with the question. Nothing is decided here, so the press is acknowledged first. */
export function listenToAnswerButton(app: App, deps: ListenerDeps): void {
  app.action(ACTION_IDS.openAnswer, async ({ ack, body, respond }) => {
    await ack();
    const click = readClick(body);
    if (click === null) return;
    try {
      await openAnswer({ deps, click, respond });
    } catch (error) {
      deps.logger.warn({ err: error }, 'modal_not_opened');
      await tellText(deps, { click, respond, text: modalNotOpenedText() });
    }
  });
}
