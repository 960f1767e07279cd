import type { Changes } from './changes.ts';
import type { IdSource } from './ids.ts';
import type { Json } from './json.ts';
import { copyJson } from './json.ts';
import { Refusal } from './refusal.ts';

/** A modal that someone has, or had, on the screen. */
export type SandboxView = {
  id: string;
  userId: string;
  /** The view as the app sent it, block and action ids filled in. */
  view: Json;
  hash: string;
  rootId: string;
  previousId: string | null;
  open: boolean;
  openedAtMs: number;
  /** Answers of `response_action: errors`, by block id, while they are shown. */
  errors: Json;
};

export type ViewStore = {
  open(input: { userId: string; view: Json; over: string | null }): SandboxView;
  /** Replaces the content. A `hash` that is not the present one is refused. */
  update(id: string, input: { view: Json; hash: string | null }): SandboxView;
  showErrors(id: string, errors: Json): void;
  close(id: string): void;
  /** Closes the whole stack that a view belongs to. */
  clear(id: string): void;
  find(idOrExternalId: string): SandboxView | undefined;
  /** Open views of a user, the topmost last. */
  openOf(userId: string): SandboxView[];
  all(): readonly SandboxView[];
};

/** Slack's limit for a stack of modals. */
const MAX_STACK = 3;

/** Creates the views of one sandbox. */
export function createViewStore(input: { now: () => number; ids: IdSource; changes: Changes }): ViewStore {
  const byId = new Map<string, SandboxView>();
  const store = (view: SandboxView) => {
    byId.set(view.id, view);
    input.changes.notify();
    return view;
  };
  const hash = () => `${Math.floor(input.now() / 1_000)}.${input.ids.secret().slice(0, 8)}`;
  const openOf = (userId: string) => [...byId.values()].filter((view) => view.open && view.userId === userId);
  const existing = (id: string) => {
    const view = byId.get(id);
    if (view === undefined || !view.open) throw new Refusal('not_found');
    return view;
  };
  const close = (id: string) => void store({ ...existing(id), open: false });

  return {
    open({ userId, view, over }) {
      const below = over === null ? undefined : existing(over);
      if (below !== undefined && openOf(userId).length >= MAX_STACK) throw new Refusal('push_limit_reached');
      if (below === undefined) for (const other of openOf(userId)) close(other.id);
      const id = input.ids.next('V');
      const place = { rootId: below?.rootId ?? id, previousId: below?.id ?? null };
      const state = { open: true, openedAtMs: input.now(), errors: {}, hash: hash() };
      return store({ id, userId, view: copyJson(view), ...place, ...state });
    },
    update(id, update) {
      const view = existing(id);
      if (update.hash !== null && update.hash !== view.hash) throw new Refusal('hash_conflict');
      return store({ ...view, view: copyJson(update.view), hash: hash(), errors: {} });
    },
    showErrors: (id, errors) => void store({ ...existing(id), errors: copyJson(errors) }),
    close,
    clear(id) {
      const { rootId } = existing(id);
      for (const view of [...byId.values()]) if (view.open && view.rootId === rootId) close(view.id);
    },
    find: (id) => byId.get(id) ?? [...byId.values()].find((view) => view.open && view.view.external_id === id),
    openOf,
    all: () => [...byId.values()],
  };
}
