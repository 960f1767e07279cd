import type { Courier } from '../delivery/courier.ts';
import type { DeliveryResult } from '../delivery/delivery.ts';
import { isJson, type Json } from '../json.ts';
import { ImpossibleAction, Refusal } from '../refusal.ts';
import type { SandboxState } from '../state.ts';
import { viewObject } from '../view-object.ts';
import type { SandboxView } from '../views.ts';
import { actorFields } from './actor.ts';
import { actionFields } from './clicks.ts';
import { type Pick, pickElement } from './elements.ts';
import type { InputValue } from './input-state.ts';
import { blocksOf, createViewInputs } from './view-inputs.ts';
import { applyResponse } from './view-response.ts';

export type ViewAct = {
  /** Whose screen. */
  user?: string;
  /** Default: the view on top of this person's screen. */
  viewId?: string;
};

export type Submission = ViewAct & {
  /** Keyed by action id, block id or label; what was put in before stays. Required inputs must be filled. */
  values?: Record<string, InputValue>;
  /** The same person's second screen still shows the view, which may be closed already. Needs `viewId`. Default false. */
  stale?: boolean;
  /** With a client that checks nothing: empty required inputs, words for numbers, options that are not there. */
  unchecked?: boolean;
  /** Says that this user submitted it: no client of Slack's does this, so the payload is signed and false. */
  forgedUser?: string;
};

export type SubmitResult = DeliveryResult & {
  /** The messages under the inputs, by block id, if the app refused them. */
  errors: Json | null;
  /** Whether the view is still on the screen. */
  open: boolean;
  /** Why Slack would not take the app's `response_action`, if it would not. */
  problem: string | null;
};

export type PeopleModals = {
  /** Fills in and submits a modal. Two at once are two presses before the first answer. */
  submitView(input: Submission): Promise<SubmitResult>;
  /** Closes a modal; `view_closed` goes out if it asked for that, else null. */
  closeView(input: ViewAct): Promise<DeliveryResult | null>;
  /** Fills in one input. Sends `block_actions` where Slack would (for an input block: with `dispatch_action`), else null. */
  fillInView(input: ViewAct & Pick & { value: InputValue }): Promise<DeliveryResult | null>;
  /** Presses a button inside a modal. */
  clickInView(input: ViewAct & Pick): Promise<DeliveryResult>;
};

type Input = { state: SandboxState; courier: Courier; defaults: { user: string } };

function findView(
  { state, defaults }: Input,
  { user = defaults.user, viewId, stale = false }: Submission,
): SandboxView {
  if (stale) {
    const view = viewId === undefined ? undefined : state.views.find(viewId);
    if (view?.userId !== user) throw new ImpossibleAction(`${user} never had the view ${viewId}`);
    return view;
  }
  const top = state.views.openOf(user).at(-1);
  if (top === undefined) throw new ImpossibleAction(`${user} has no open view`);
  if (viewId !== undefined && viewId !== top.id) throw new ImpossibleAction(`${viewId} is not on top of the screen`);
  return top;
}

/** Applies the app's answer to a submission; what Slack would not take of it. */
function answerProblem(state: SandboxState, view: SandboxView, result: DeliveryResult): string | null {
  if (!result.acked) return null;
  try {
    applyResponse(state, view, isJson(result.body) ? result.body : {});
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code;
  }
}

/** Creates the people who use modals. */
export function createPeopleModals(input: Input): PeopleModals {
  const { state, courier } = input;
  const inputs = createViewInputs();

  const payload = (type: string, view: SandboxView, { userId = view.userId, values = {} } = {}): Json => ({
    type,
    ...actorFields(state, userId),
    trigger_id: state.triggers.issue({ userId, viewId: view.id }),
    view: viewObject(state, view, values),
  });

  const act = (view: SandboxView, action: Json) =>
    courier.interaction({
      ...payload('block_actions', view, { values: inputs.values(view) }),
      container: { type: 'view', view_id: view.id },
      actions: [action],
    });

  return {
    async submitView({ values = {}, unchecked = false, ...submission }) {
      const view = findView(input, submission);
      if (view.view.submit === undefined) throw new ImpossibleAction('The view has no submit button');
      inputs.fillAll(view, values, !unchecked);
      if (!unchecked) inputs.checkRequired(view);
      const by = submission.forgedUser ?? view.userId;
      const sent = payload('view_submission', view, { userId: by, values: inputs.values(view) });
      const result = await courier.interaction({ ...sent, response_urls: [] });
      const problem = answerProblem(state, view, result);
      const after = state.views.find(view.id);
      // Those of an earlier answer stay with the view.
      const refused = isJson(result.body) && result.body.response_action === 'errors';
      const errors = refused && after !== undefined && Object.keys(after.errors).length > 0 ? after.errors : null;
      return { ...result, errors, open: after?.open === true, problem };
    },
    async closeView(closing) {
      const view = findView(input, closing);
      state.views.close(view.id);
      if (view.view.notify_on_close !== true) return null;
      return courier.interaction({ ...payload('view_closed', view), is_cleared: false });
    },
    async fillInView({ value, user, viewId, ...pick }) {
      const view = findView(input, { ...(user && { user }), ...(viewId && { viewId }) });
      const found = pickElement(blocksOf(view), pick);
      const after = inputs.fill(view, found, value);
      if (found.block.type === 'input' && found.block.dispatch_action !== true) return null;
      return act(view, { ...actionFields(state, found), ...after });
    },
    async clickInView({ user, viewId, ...pick }) {
      const view = findView(input, { ...(user && { user }), ...(viewId && { viewId }) });
      return act(view, actionFields(state, pickElement(blocksOf(view), pick)));
    },
  };
}
