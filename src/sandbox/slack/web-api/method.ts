import type { Echo } from '../delivery/echo.ts';
import type { Tier } from '../faults.ts';
import type { Json } from '../json.ts';
import type { SandboxState } from '../state.ts';

/** What a Web API method works on. */
export type ApiCall = {
  args: Json;
  state: SandboxState;
  /** Sends the app the events that its own posts cause. */
  echo: Echo;
  /** Where a socket may be opened, for apps.connections.open. */
  socketUrl: () => string;
};

/** One method of the Web API. `answer` gives the fields beside `ok: true`, or throws a Refusal. */
export type ApiMethod = {
  /** Needed scopes; any one of them is enough. null: none. */
  scopes: readonly string[] | null;
  tier: Tier;
  /** Needs the app-level token instead of the bot's. */
  appToken?: boolean;
  answer: (call: ApiCall) => Json;
};

export type ApiMethods = Record<string, ApiMethod>;
