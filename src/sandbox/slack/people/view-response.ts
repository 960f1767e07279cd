import { isJson, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxState } from '../state.ts';
import type { SandboxView } from '../views.ts';
import { storedView } from '../web-api/views.ts';
import { blocksOf } from './view-inputs.ts';

/**
 * Does what the app's answer to a submission says; nothing where the view is gone meanwhile. Throws a Refusal where Slack
 * would show an error.
 */
export function applyResponse(state: SandboxState, { id }: SandboxView, response: Json): void {
  const view = state.views.find(id);
  if (view?.open !== true) return;
  const action = response.response_action;
  const next = () => storedView(state, response.view);
  if (action === undefined) state.views.close(id);
  else if (action === 'clear') state.views.clear(id);
  else if (action === 'errors') state.views.showErrors(id, validErrors(view, response.errors));
  else if (action === 'update') state.views.update(id, { view: next(), hash: null });
  else if (action === 'push') state.views.open({ userId: view.userId, view: next(), over: id });
  else throw new Refusal('invalid_response_action');
}

/** Errors stand under input blocks only. */
function validErrors(view: SandboxView, errors: unknown): Json {
  if (!isJson(errors) || Object.keys(errors).length === 0) throw new Refusal('invalid_errors');
  const inputs = blocksOf(view).filter((block) => block.type === 'input');
  const ids = inputs.map((block) => block.block_id);
  const unknown = Object.keys(errors).find((blockId) => !ids.includes(blockId));
  if (unknown !== undefined) throw new Refusal(`no such block: ${unknown}`);
  return errors;
}
