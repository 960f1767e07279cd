import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { eventBody } from '../load/events.ts';
import { type LoadGenerator, startLoadGenerator } from '../load/generator.ts';
import { atMost, type Section } from '../report.ts';
import { BENCH_CHANNEL, type Stage, type Theatre, writeMentions } from '../stage/stage.ts';
import { median, percentile } from '../statistics.ts';

const THREADS = 100;
const BURSTS = 4;
const ACK_LIMIT_MS = 500;
const ANSWERED_WITHIN_MS = 60_000;
const ANSWER = 'Two and two is four.';

type Burst = { p50: number; p99: number; answeredAfterMs: number; answers: number };

/** A hundred mentions at once, each told twice (`app_mention` and `message`), as Slack does where the bot is a member. */
export async function measureBurst(theatre: Theatre): Promise<Section> {
  const stage = await theatre.openStage({ scenario: 'answer-only' });
  const generator = startLoadGenerator();
  const bursts: Burst[] = [];
  try {
    for (let round = 0; round < BURSTS; round += 1) bursts.push(await runBurst(stage, generator));
  } finally {
    generator.close();
    await stage.close();
  }
  return toSection(bursts);
}

async function runBurst(stage: Stage, generator: LoadGenerator): Promise<Burst> {
  const roots = await writeMentions(stage.slack, THREADS);
  const bodies = (['app_mention', 'message'] as const).flatMap((type) => roots.map((ts) => eventBody(type, ts)));
  const startedAt = performance.now();
  const { ackMs, refused } = await generator.send({
    ...{ url: `${stage.bot.url}/slack/events`, signingSecret: SANDBOX.signingSecret },
    ...{ connections: bodies.length, bodies, maxMs: ANSWERED_WITHIN_MS },
  });
  if (refused > 0) throw new Error(`${refused} of ${bodies.length} events were refused`);
  const answersOf = (root: string) =>
    stage.slack.thread(BENCH_CHANNEL, root).filter(({ text }) => text.includes(ANSWER)).length;
  await stage.slack.waitFor(() => roots.every((root) => answersOf(root) > 0), { timeoutMs: ANSWERED_WITHIN_MS });
  return {
    p50: percentile(ackMs, 0.5),
    p99: percentile(ackMs, 0.99),
    answeredAfterMs: performance.now() - startedAt,
    answers: roots.reduce((sum, root) => sum + answersOf(root), 0),
  };
}

function toSection(bursts: Burst[]): Section {
  const [cold, ...warm] = bursts;
  if (!cold) throw new Error('There was no burst');
  const ms = (value: number) => ({ value, unit: 'ms' });
  const answers = bursts.reduce((sum, burst) => sum + burst.answers, 0);
  return {
    name: `burst: ${THREADS} mentions at once in ${THREADS} threads`,
    meaning: [
      `${2 * THREADS} deliveries at once (each mention as app_mention and as message), to a bot that has just started and then to a`,
      'warm one (medians). The last row is the time until every thread holds its answer.',
    ],
    rows: [
      { name: 'ack p99, just started', ...atMost(ms(cold.p99), ACK_LIMIT_MS) },
      { name: 'ack p50, warm', measured: ms(median(warm.map(({ p50 }) => p50))) },
      { name: 'ack p99, warm', ...atMost(ms(median(warm.map(({ p99 }) => p99))), ACK_LIMIT_MS) },
      {
        name: 'answers per thread',
        measured: { value: answers / (bursts.length * THREADS), unit: '' },
        target: { text: 'exactly 1', holds: answers === bursts.length * THREADS },
      },
      { name: 'all answered after', measured: ms(median(warm.map(({ answeredAfterMs }) => answeredAfterMs))) },
    ],
  };
}
