import type { types } from '@slack/bolt';
import type { ActionResult, ClickContext, RunCommands } from '../../domain/ports/run-commands.ts';
import { type ModalMetadata, noticeModal } from '../../presenter/modals.ts';
import { actionResultText } from '../../presenter/texts.ts';

/** What a modal of ours sent, and what it had been opened for. */
export type Submission = {
  about: ModalMetadata;
  click: ClickContext;
  /** Slack's `view.state`, unchecked. */
  state: unknown;
  /** The modal's `private_metadata`, for those that remember more than `about`. */
  metadataText: string;
  /** `block_id`s of its inputs, which can show an error. */
  inputIds: readonly string[];
};

type Errors = Record<string, string>;

/** Nothing to decide: what is wrong with what was sent, or something else to show. */
export type Refused = { kind: 'errors'; errors: Errors } | { kind: 'show'; view: types.ModalView };

/** What to do about a submission. */
export type Step = Refused | { kind: 'decide'; decide: () => Promise<ActionResult> };

/** Reads the submission of one kind of modal. Decides nothing by itself. */
export type ReadSubmission = (commands: RunCommands, submission: Submission) => Promise<Step>;

/** The modal says why there is nothing to decide. */
export function showResult(result: ActionResult): Refused {
  return { kind: 'show', view: noticeModal(actionResultText(result)) };
}

/**
 * Errors beside the fields they are about; `anew` draws the modal again where such a field is not in it, because the
 * rules have changed since: Slack takes no errors for blocks that it does not show.
 */
export function showErrors({ inputIds }: Submission, shown: { errors: Errors; anew: () => types.ModalView }): Refused {
  const canShow = Object.keys(shown.errors).every((blockId) => inputIds.includes(blockId));
  return canShow ? { kind: 'errors', errors: shown.errors } : { kind: 'show', view: shown.anew() };
}
