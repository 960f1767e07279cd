import type { types } from '@slack/bolt';
import { within } from '../../async/within.ts';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { loadingModal, noticeModal } from '../../presenter/modals.ts';
import { actionResultText, modalNotOpenedText, notDeliveredText } from '../../presenter/texts.ts';
import { type Press, tellResult, tellText } from './on-press.ts';

/** The modal that a press asks for, or why there is none. */
export type Opening = { kind: 'modal'; view: types.ModalView } | ActionResult;

/** What a press turned out to ask for: a modal, or something done at once. */
export type Asked = Opening | { kind: 'decide'; decide: () => Promise<ActionResult> };

/**
 * A trigger lives 3 s. A store that has not answered by now gets a placeholder opened before it does; sooner, a refusal
 * from a busy process would be told in a window instead of the thread.
 */
const PATIENCE_MS = 1_000;

/**
 * Opens the modal that `reading` comes to. One that takes its time gets a placeholder, which then shows whatever came of
 * it; else a press without a modal is answered privately in the thread. Rejects with `reading`.
 */
export async function openModal(press: Press, reading: Promise<Asked>): Promise<void> {
  const asked = await within(reading, { ms: PATIENCE_MS, late: () => null });
  if (asked === null) return openThenFill(press, reading);
  const opening = await decideFirst(asked);
  if (opening.kind !== 'modal') return tellResult(press, opening);
  const viewId = await openView(press, opening.view);
  if (viewId === null) await tellText(press, modalNotOpenedText());
}

async function decideFirst(asked: Asked): Promise<Opening> {
  return asked.kind === 'decide' ? asked.decide() : asked;
}

async function openThenFill(press: Press, reading: Promise<Asked>): Promise<void> {
  const viewId = await openView(press, loadingModal());
  try {
    await showOpening(press, { viewId, opening: await decideFirst(await reading) });
  } catch (error) {
    if (viewId !== null) await fillView(press, { viewId, view: noticeModal(notDeliveredText()) });
    throw error;
  }
}

async function showOpening(
  press: Press,
  { viewId, opening }: { viewId: string | null; opening: Opening },
): Promise<void> {
  const view = opening.kind === 'modal' ? opening.view : noticeModal(actionResultText(opening));
  if (viewId !== null && (await fillView(press, { viewId, view }))) return;
  await (opening.kind === 'modal' ? tellText(press, modalNotOpenedText()) : tellResult(press, opening));
}

/** The opened view's id; null when Slack did not open it. */
async function openView({ deps, click }: Press, view: types.ModalView): Promise<string | null> {
  try {
    const opened = await deps.views.open({ trigger_id: click.triggerId, view });
    return opened.view?.id ?? null;
  } catch (error) {
    deps.logger.warn({ err: error }, 'modal_not_opened');
    return null;
  }
}

/** Whether Slack took it: a person may have closed the placeholder. */
async function fillView({ deps }: Press, filled: { viewId: string; view: types.ModalView }): Promise<boolean> {
  try {
    await deps.views.update({ view_id: filled.viewId, view: filled.view });
    return true;
  } catch (error) {
    deps.logger.warn({ err: error }, 'modal_not_filled');
    return false;
  }
}
