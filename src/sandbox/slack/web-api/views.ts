import { withIds } from '../block-ids.ts';
import { isJson, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxState } from '../state.ts';
import { validView } from '../validate/view.ts';
import { viewObject } from '../view-object.ts';
import type { SandboxView } from '../views.ts';
import { jsonArg, requiredArg, stringArg } from './args.ts';
import type { ApiCall, ApiMethods } from './method.ts';

/** A view as the store keeps it: checked, ids filled in. */
export function storedView(state: SandboxState, view: unknown): Json {
  const valid = validView(view);
  const blocks = Array.isArray(valid.blocks) ? valid.blocks.filter(isJson) : [];
  return { ...valid, blocks: withIds(blocks, state.ids) };
}

function readView(call: ApiCall): Json {
  const view = storedView(call.state, jsonArg(call.args, 'view', 'invalid_arguments'));
  const externalId = view.external_id;
  if (typeof externalId !== 'string' || externalId === '') return view;
  const other = call.state.views.find(externalId);
  const same = other?.id === stringArg(call.args, 'view_id') || stringArg(call.args, 'external_id') === externalId;
  if (other !== undefined && !same) throw new Refusal('duplicate_external_id');
  return view;
}

function answerView(call: ApiCall, view: SandboxView): Json {
  return { view: viewObject(call.state, view) };
}

function open(call: ApiCall): Json {
  const view = readView(call);
  const { userId } = call.state.triggers.exchange(requiredArg(call.args, 'trigger_id'));
  return answerView(call, call.state.views.open({ userId, view, over: null }));
}

function push(call: ApiCall): Json {
  const view = readView(call);
  const { userId, viewId } = call.state.triggers.exchange(requiredArg(call.args, 'trigger_id'));
  if (viewId === null) throw new Refusal('invalid_trigger_id');
  return answerView(call, call.state.views.open({ userId, view, over: viewId }));
}

function update(call: ApiCall): Json {
  const id = stringArg(call.args, 'view_id') ?? requiredArg(call.args, 'external_id');
  const found = call.state.views.find(id);
  if (found === undefined) throw new Refusal('not_found');
  const view = readView(call);
  return answerView(call, call.state.views.update(found.id, { view, hash: stringArg(call.args, 'hash') }));
}

/** views.open, views.push, views.update: modals only. */
export const VIEW_METHODS: ApiMethods = {
  'views.open': { scopes: null, tier: 4, answer: open },
  'views.push': { scopes: null, tier: 4, answer: push },
  'views.update': { scopes: null, tier: 4, answer: update },
};
