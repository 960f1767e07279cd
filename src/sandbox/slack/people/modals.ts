import type { Courier } from '../delivery/courier.ts';
import type { DeliveryResult } from '../delivery/delivery.ts';
import { isJson, type Json } from '../json.ts';
import { ImpossibleAction, Refusal } from '../refusal.ts';
import type { SandboxState } from '../state.ts';
import { viewObject } from '../view-object.ts';
import type { SandboxView } from '../views.ts';
import { storedView } from '../web-api/views.ts';
import { actorFields } from './actor.ts';
import { actionFields } from './clicks.ts';
import { type FoundElement, findElements, labelOf, type Pick, pickElement } from './elements.ts';
import { filledState, type InputValue, initialState, isFilled, stateValues } from './input-state.ts';

export type ViewAct = {
  user?: string;
  /** Default: the view on top of this person's screen. */
  viewId?: string;
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
  /** Fills in and submits a modal. `values` are keyed by action id, block id or label; required inputs must be filled. */
  submitView(input: ViewAct & { values?: Record<string, InputValue> }): Promise<SubmitResult>;
  /** Closes a modal; `view_closed` goes out if it asked for that, else null. */
  closeView(input: ViewAct): Promise<DeliveryResult | null>;
  /** Presses a button inside a modal. */
  clickInView(input: ViewAct & Pick): Promise<DeliveryResult>;
};

function blocksOf(view: SandboxView): Json[] {
  const { blocks } = view.view;
  return Array.isArray(blocks) ? blocks.filter(isJson) : [];
}

function matches(found: FoundElement, key: string): boolean {
  return found.element.action_id === key || found.blockId === key || labelOf(found) === key;
}

/** What the person put in, checked as Slack's client does before it submits. */
function fillIn(view: SandboxView, values: Record<string, InputValue>): Map<string, Json> {
  const elements = findElements(blocksOf(view));
  const filled = new Map<string, Json>();
  for (const [key, value] of Object.entries(values)) {
    const found = elements.find((candidate) => matches(candidate, key));
    if (found === undefined) throw new ImpossibleAction(`The view has no input "${key}"`);
    filled.set(`${found.blockId}/${String(found.element.action_id)}`, filledState(found.element, value));
  }
  for (const { blockId, block, element } of elements) {
    if (block.type !== 'input' || block.optional === true) continue;
    const state = filled.get(`${blockId}/${String(element.action_id)}`) ?? initialState(element);
    if (state === null || !isFilled(state)) throw new ImpossibleAction(`The required input ${blockId} is empty`);
  }
  return filled;
}

function responseOf(result: DeliveryResult): Json {
  return isJson(result.body) ? result.body : {};
}

/** Does what the app's answer to a submission says. Throws a Refusal where Slack would show an error. */
function applyResponse(state: SandboxState, view: SandboxView, response: Json): void {
  const action = response.response_action;
  if (action === undefined) {
    state.views.close(view.id);
    return;
  }
  if (action === 'clear') {
    state.views.clear(view.id);
    return;
  }
  if (action === 'errors') {
    const { errors } = response;
    if (!isJson(errors)) throw new Refusal('invalid_errors');
    const ids = blocksOf(view).map((block) => block.block_id);
    const stranger = Object.keys(errors).find((id) => !ids.includes(id));
    if (stranger !== undefined) throw new Refusal(`no such block: ${stranger}`);
    state.views.showErrors(view.id, errors);
    return;
  }
  const next = storedView(state, response.view);
  if (action === 'update') state.views.update(view.id, { view: next, hash: null });
  else if (action === 'push') state.views.open({ userId: view.userId, view: next, over: view.id });
  else throw new Refusal('invalid_response_action');
}

/** Creates the people who use modals. */
export function createPeopleModals(input: {
  state: SandboxState;
  courier: Courier;
  defaults: { user: string };
}): PeopleModals {
  const { state, courier, defaults } = input;

  const onScreen = ({ user = defaults.user, viewId }: ViewAct) => {
    const top = state.views.openOf(user).at(-1);
    if (top === undefined) throw new ImpossibleAction(`${user} has no open view`);
    if (viewId !== undefined && viewId !== top.id) throw new ImpossibleAction(`${viewId} is not on top of the screen`);
    return top;
  };

  const payload = (type: string, view: SandboxView, values: Json): Json => ({
    type,
    ...actorFields(state, view.userId),
    trigger_id: state.triggers.issue({ userId: view.userId, viewId: view.id }),
    view: viewObject(state, view, values),
  });

  return {
    async submitView({ values = {}, ...act }) {
      const view = onScreen(act);
      if (view.view.submit === undefined) throw new ImpossibleAction('The view has no submit button');
      const shown = stateValues(findElements(blocksOf(view)), fillIn(view, values));
      const result = await courier.interaction({ ...payload('view_submission', view, shown), response_urls: [] });
      let problem: string | null = null;
      try {
        if (result.acked) applyResponse(state, view, responseOf(result));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        problem = error.code;
      }
      const after = state.views.find(view.id);
      const errors = after !== undefined && Object.keys(after.errors).length > 0 ? after.errors : null;
      return { ...result, errors, open: after?.open === true, problem };
    },
    async closeView(act) {
      const view = onScreen(act);
      state.views.close(view.id);
      if (view.view.notify_on_close !== true) return null;
      return courier.interaction({ ...payload('view_closed', view, {}), is_cleared: false });
    },
    async clickInView({ user, viewId, ...pick }) {
      const view = onScreen({ ...(user && { user }), ...(viewId && { viewId }) });
      const found = pickElement(blocksOf(view), pick);
      const values = stateValues(findElements(blocksOf(view)), new Map());
      return courier.interaction({
        ...payload('block_actions', view, values),
        container: { type: 'view', view_id: view.id },
        actions: [actionFields(state, found)],
      });
    },
  };
}
