import { copyJson, type Json } from './json.ts';
import type { SandboxState } from './state.ts';
import type { SandboxView } from './views.ts';

/** A view in Slack's JSON, with the state of its inputs. */
export function viewObject(state: SandboxState, view: SandboxView, values: Json = {}): Json {
  const { setup } = state;
  return {
    id: view.id,
    team_id: setup.team.id,
    type: 'modal',
    close: null,
    submit: null,
    callback_id: '',
    private_metadata: '',
    external_id: '',
    clear_on_close: false,
    notify_on_close: false,
    ...copyJson(view.view),
    state: { values },
    hash: view.hash,
    root_view_id: view.rootId,
    previous_view_id: view.previousId,
    app_id: setup.appId,
    app_installed_team_id: setup.team.id,
    bot_id: setup.bot.botId,
  };
}
