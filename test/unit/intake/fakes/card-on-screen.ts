import { SANDBOX } from '../../../../src/sandbox/slack/setup.ts';
import { eventually } from './eventually.ts';
import { type Setup, setUpIntake } from './intake-setup.ts';

const { alice } = SANDBOX.users;
const { general } = SANDBOX.channels;

type Placed = { actionId: string; value?: string };

/** A message of buttons in a thread, and someone who presses them; `close` ends all of it. */
export async function putCardOnScreen(...buttons: Placed[]) {
  const setup = await setUpIntake({ transport: 'http', slack: { ackTimeoutMs: 4_000 } });
  const elements = buttons.map(({ actionId, value = 'pause-1' }) => ({
    type: 'button',
    text: { type: 'plain_text', text: actionId },
    action_id: actionId,
    value,
  }));
  const rootTs = await setup.postAsBot({ blocks: [{ type: 'actions', block_id: 'b1', elements }] });
  const messageTs = await setup.postAsBot({
    threadTs: rootTs,
    blocks: [{ type: 'actions', block_id: 'b1', elements }],
  });
  return { ...setup, rootTs, messageTs, ...handsOn(setup, messageTs) };
}

function handsOn(setup: Setup, messageTs: string) {
  const { slack, logger } = setup;
  const top = () => slack.openViews(alice).at(-1);
  return {
    contextOf: (actorId: string = alice) => ({ actorId, channelId: general, messageTs }),
    press: (actionId: string, user: string = alice) => slack.click({ messageTs, actionId, user }),
    /** What stands on top of the screen, as JSON; empty for no modal. */
    shown: () => JSON.stringify(top()?.view ?? ''),
    toldTo: (user: string = alice) => slack.waitFor(() => slack.ephemerals({ user })[0]),
    logged: (event: string) => eventually(event, () => logger.lines.some((line) => line.event === event)),
  };
}

export type CardOnScreen = Awaited<ReturnType<typeof putCardOnScreen>>;

/** A promise and its resolution. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
