import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { startBareBolt } from '../load/bare-bolt.ts';
import { eventBody } from '../load/events.ts';
import { type LoadResult, startLoadGenerator } from '../load/generator.ts';
import type { Section } from '../report.ts';
import { type Theatre, writeMentions } from '../stage/stage.ts';
import { median, percentile } from '../statistics.ts';

const ROUNDS = 5;
const CONNECTIONS = 50;
const EVENTS = 1500;
const ROUND_MS = 3000;

/** Acknowledgements per second of the whole bot while it works on what it takes, beside a bare Bolt app. */
export async function measureAcks(theatre: Theatre): Promise<Section> {
  const stage = await theatre.openStage({ scenario: 'answer-only' });
  const bolt = await startBareBolt();
  const generator = startLoadGenerator();
  const send = async (url: string): Promise<LoadResult> => {
    const bodies = (await writeMentions(stage.slack, EVENTS)).map((ts) => eventBody('app_mention', ts));
    const load = { url: `${url}/slack/events`, signingSecret: SANDBOX.signingSecret, bodies, maxMs: ROUND_MS };
    return generator.send({ ...load, connections: CONNECTIONS });
  };
  const results: Record<'bolt' | 'bot', LoadResult[]> = { bolt: [], bot: [] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      results.bolt.push(await send(bolt.url));
      results.bot.push(await send(stage.bot.url));
    }
  } finally {
    generator.close();
    bolt.close();
    await stage.close();
  }
  return toSection(results.bot, results.bolt);
}

const perSecond = ({ ackMs, elapsedMs }: LoadResult) => (ackMs.length / elapsedMs) * 1_000;

function toSection(bot: LoadResult[], bolt: LoadResult[]): Section {
  const rate = median(bot.map(perSecond));
  const bareRate = median(bolt.map(perSecond));
  const times = (share: number) => ({
    measured: { value: median(bot.map(({ ackMs }) => percentile(ackMs, share))), unit: 'ms' },
    baseline: { value: median(bolt.map(({ ackMs }) => percentile(ackMs, share))), unit: 'ms', of: 'bare Bolt' },
  });
  return {
    name: 'acks: sustained acknowledgements over HTTP',
    meaning: [
      `Signed mentions in distinct threads over ${CONNECTIONS} kept connections. Each is stored before it is acknowledged, and the`,
      `same process runs the requests meanwhile. Bare Bolt stores nothing and does nothing. Medians of ${ROUNDS} rounds, in turn.`,
    ],
    rows: [
      {
        name: 'acks per second',
        measured: { value: rate, unit: '/s' },
        baseline: { value: bareRate, unit: '/s', of: 'bare Bolt' },
        target: { text: '≥ 50 % of bare Bolt', holds: rate >= bareRate / 2 },
      },
      { name: 'ack, median', ...times(0.5) },
      { name: 'ack, p99', ...times(0.99) },
      { name: 'refused', measured: { value: bot.reduce((sum, { refused }) => sum + refused, 0), unit: 'events' } },
    ],
  };
}
