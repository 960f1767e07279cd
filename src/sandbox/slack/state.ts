import type { CallLog } from './calls.ts';
import { createCallLog } from './calls.ts';
import { type Changes, createChanges } from './changes.ts';
import { createFaults, createRateLimiter, type Faults, type RateLimiter } from './faults.ts';
import { createFileStore, type FileStore } from './files.ts';
import { createHistory, type History } from './history.ts';
import { createIdSource, type IdSource } from './ids.ts';
import { createResponseUrls, type ResponseUrls } from './response-urls.ts';
import type { Setup } from './setup.ts';
import { createTriggers, type Triggers } from './triggers.ts';
import { createViewStore, type ViewStore } from './views.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** All that one sandbox Slack remembers. It owns no socket and no timer. */
export type SandboxState = {
  setup: Setup;
  changes: Changes;
  ids: IdSource;
  workspace: Workspace;
  history: History;
  views: ViewStore;
  files: FileStore;
  triggers: Triggers;
  responseUrls: ResponseUrls;
  faults: Faults;
  rateLimiter: RateLimiter;
  calls: CallLog;
  /** `http://127.0.0.1:<port>`, known once the server listens. */
  baseUrl: string;
  /** Where redirected downloads lead: another host, known once it listens. */
  foreignUrl: string;
};

/** Creates the state of one sandbox. */
export function createState(setup: Setup): SandboxState {
  const { now } = setup;
  const changes = createChanges();
  const ids = createIdSource(now);
  const files = createFileStore({ now, ids, changes });
  for (const file of setup.files) files.add(file, setup.users[0]?.id ?? setup.bot.userId);
  return {
    setup,
    changes,
    ids,
    files,
    workspace: createWorkspace(setup, ids),
    history: createHistory({ now, changes }),
    views: createViewStore({ now, ids, changes }),
    triggers: createTriggers({ now, ttlMs: setup.triggerTtlMs, ids }),
    responseUrls: createResponseUrls({ now, ids }),
    faults: createFaults(),
    rateLimiter: createRateLimiter(setup),
    calls: createCallLog({ now, changes }),
    baseUrl: '',
    foreignUrl: '',
  };
}
