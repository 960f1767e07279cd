import type { types } from '@slack/bolt';
import { within } from '../../async/within.ts';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { loadingModal, noticeModal } from '../../presenter/modals.ts';
import { actionResultText, notDeliveredText } from '../../presenter/texts.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { textAt } from '../read/fields.ts';
import { tellInThread } from '../tell-privately.ts';
import { inputIdsOf, readSubmission } from './read-submission.ts';
import { resultView } from './result-view.ts';
import { type ReadSubmission, type Refused, type Submission, showResult } from './submission.ts';

type Response =
  | { response_action: 'clear' }
  | { response_action: 'update'; view: types.ModalView }
  | { response_action: 'errors'; errors: Record<string, string> };
type SubmitArgs = { ack: (response: Response) => Promise<void>; body: unknown };
type Submitted = SubmitArgs & { deps: ListenerDeps; submission: Submission };

/**
 * Slack waits 3 s for the answer to a submission, and Slack itself is asked who the person is. A decision that takes
 * longer than this is waited for with a placeholder on the screen.
 */
const PATIENCE_MS = 2_000;

/**
 * A listener to submitted modals, each of which has a visible answer: an error beside a field, what came of it, or that
 * nothing could be stored. That failure goes on to Bolt and is logged there.
 */
export function onSubmit(deps: ListenerDeps, readerOf: (callbackId: string) => ReadSubmission | null) {
  return async ({ ack, body }: SubmitArgs): Promise<void> => {
    const submission = readSubmission(body);
    const read = readerOf(textAt(body, 'view', 'callback_id') ?? '');
    if (submission === null || read === null) return ack(responseTo(showResult({ kind: 'unknown' })));
    const submitted = { deps, ack, body, submission };
    const step = await orSayNotDelivered(submitted, () => read(deps.commands, submission));
    await (step.kind === 'decide' ? decide(submitted, step.decide) : ack(responseTo(step)));
  };
}

function responseTo(step: Refused): Response {
  if (step.kind === 'errors') return { response_action: 'errors', errors: step.errors };
  return { response_action: 'update', view: step.view };
}

/** Said where the person is: what was typed stays, where there is a field to say it beside. */
async function orSayNotDelivered<T>({ ack, body }: Submitted, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const blockId = inputIdsOf(body).at(-1);
    const said = notDeliveredText();
    await ack(
      blockId === undefined
        ? { response_action: 'update', view: noticeModal(said) }
        : { response_action: 'errors', errors: { [blockId]: said } },
    );
    throw error;
  }
}

/** Acknowledged once the decision is stored, as far as Slack's patience allows. */
async function decide(submitted: Submitted, decideNow: () => Promise<ActionResult>): Promise<void> {
  const { ack, submission } = submitted;
  const deciding = decideNow();
  const result = await orSayNotDelivered(submitted, () => within(deciding, { ms: PATIENCE_MS, late: () => null }));
  if (result === null) {
    await ack({ response_action: 'update', view: loadingModal() });
    return fillPlaceholder(submitted, deciding);
  }
  if (result.kind === 'accepted') return ack({ response_action: 'clear' });
  await ack({ response_action: 'update', view: resultView(result, submission.about) });
}

async function fillPlaceholder(submitted: Submitted, deciding: Promise<ActionResult>): Promise<void> {
  try {
    const result = await deciding;
    await showLate(submitted, { view: resultView(result, submitted.submission.about), text: actionResultText(result) });
  } catch (error) {
    await showLate(submitted, { view: noticeModal(notDeliveredText()), text: notDeliveredText() });
    throw error;
  }
}

/** In the placeholder; privately in the channel for a person who has closed it. Never rejects. */
async function showLate(
  { deps, body, submission }: Submitted,
  late: { view: types.ModalView; text: string },
): Promise<void> {
  try {
    await deps.views.update({ view_id: textAt(body, 'view', 'id') ?? '', view: late.view });
  } catch (error) {
    deps.logger.warn({ err: error }, 'modal_not_filled');
    const { actorId, channelId } = submission.click;
    await tellInThread(deps, { actorId, channelId, threadTs: null, respond: null, text: late.text });
  }
}
