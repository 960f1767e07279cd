import type { Scenario } from '../../src/sandbox/planner/scenario.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { eventBody } from '../load/events.ts';
import type { Section } from '../report.ts';
import { BENCH_CHANNEL, type Stage, type Theatre, writeMentions } from '../stage/stage.ts';
import { median, percentile } from '../statistics.ts';

const STEPS = 60;
const GATE = 'step';
const stepTitle = (step: number) => `Step ${step} of many.`;

/** A plan whose next step starts when the gate is opened. */
const SCENARIO: Scenario = {
  about: 'One step for each opening of the gate',
  legs: [
    [
      { repeat: { times: STEPS, steps: [{ hold: GATE }, { plan: stepPlan() }] } },
      { text: 'Done.' },
      { finish: 'stop' },
      { done: true },
    ],
  ],
};

function stepPlan() {
  const task = { status: 'in_progress', task: 'Step {{n}} of many.' };
  return { plan_status: 'in_progress', phases: { '0': { status: 'in_progress', tasks: { '0': task } } } };
}

/** From a delta leaving the planner to the edit that shows it being stored in Slack. */
export async function measureStatusLag(theatre: Theatre): Promise<Section> {
  const env = { STATUS_EDIT_INTERVAL_MS: '1', WORKSPACE_EDITS_PER_MINUTE: '60000' };
  const stage = await theatre.openStage({ scenario: SCENARIO, env });
  try {
    const raw = await timeRawStream(stage);
    return toSection(await timeStatus(stage), raw);
  } finally {
    await stage.close();
  }
}

async function timeSteps(stage: Stage, seen: (title: string) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const shown = seen(stepTitle(step));
    const openedAt = performance.now();
    stage.planner.release(GATE);
    await shown;
    times.push(performance.now() - openedAt);
  }
  return times;
}

async function timeStatus(stage: Stage): Promise<number[]> {
  const [ts] = await writeMentions(stage.slack, 1);
  if (ts === undefined) throw new Error('No message was written');
  const body = eventBody('app_mention', ts);
  const { acked } = await stage.slack.deliverRaw({ body, headers: stage.slack.sign(body) });
  if (!acked) throw new Error('The bot did not take the mention');
  return timeSteps(stage, (title) =>
    stage.slack.waitForMessage({
      channel: BENCH_CHANNEL,
      threadTs: ts,
      match: (message) => message.userId === SANDBOX.botUserId && JSON.stringify(message.blocks).includes(title),
    }),
  );
}

/** A client that does nothing but read. */
async function timeRawStream(stage: Stage): Promise<number[]> {
  const { baseUrl, apiKey } = stage.planner;
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'x-session-id': 'raw' },
    body: JSON.stringify({
      ...{ model: 'asi1', stream: true, planner_mode: true, agents: [] },
      messages: [{ role: 'user', content: 'what is two and two?' }],
    }),
  });
  if (!answer.ok || !answer.body) throw new Error(`The planner answered ${answer.status}: ${await answer.text()}`);
  const chunks = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const times = await timeSteps(stage, async (title) => {
    while (!text.includes(title)) text += (await chunks.read()).value ?? '';
  });
  await chunks.cancel();
  return times;
}

function toSection(bot: number[], raw: number[]): Section {
  const at = (share: number) => ({
    measured: { value: percentile(bot, share), unit: 'ms' },
    baseline: { value: percentile(raw, share), unit: 'ms', of: 'raw fetch' },
  });
  return {
    name: 'lag: status behind the planner',
    meaning: [
      `From a delta leaving the planner to the edit that shows it standing in Slack, for ${STEPS} deltas one after the other, with an edit`,
      'interval of 1 ms. Beside it a raw fetch that only reads the same stream.',
    ],
    rows: [
      { name: 'lag, median', ...at(0.5) },
      { name: 'lag, p95', ...at(0.95) },
      { name: 'added by Steward, median', measured: { value: median(bot) - median(raw), unit: 'ms' } },
    ],
  };
}
