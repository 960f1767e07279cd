import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { eventBody } from '../load/events.ts';
import { atMost, type Row, type Section } from '../report.ts';
import { type Stage, type Theatre, writeMentions } from '../stage/stage.ts';
import { median } from '../statistics.ts';

const MIB = 1024 * 1024;
const IDLE_LIMIT_MIB = 350;
const READY_LIMIT_MS = 3000;
const MORE_STARTS = 4;
const OPEN_RUNS = [50, 200];
const OPENED_WITHIN_MS = 60_000;

/** Start and memory of the bot on its embedded default, with a database that exists. */
export async function measureMemory(theatre: Theatre): Promise<Section> {
  const startsMs: number[] = [];
  for (let start = 0; start < MORE_STARTS; start += 1) startsMs.push(await startOnce(theatre));
  const env = { WORKER_CONCURRENCY: String(Math.max(...OPEN_RUNS)) };
  const stage = await theatre.openStage({ scenario: 'held', env });
  startsMs.push(stage.bot.readyAfterMs);
  const mib = async () => (await stage.bot.residentBytes()) / MIB;
  try {
    const idle = await mib();
    const rows = [
      { name: 'start to ready', ...atMost({ value: median(startsMs), unit: 'ms' }, READY_LIMIT_MS) },
      { name: 'resident, idle', ...atMost({ value: idle, unit: 'MiB' }, IDLE_LIMIT_MIB) },
    ];
    return { ...HEAD, rows: [...rows, ...(await openRuns(stage, { idle, mib }))] };
  } finally {
    await stage.close();
  }
}

async function startOnce(theatre: Theatre): Promise<number> {
  const stage = await theatre.openStage({ scenario: 'held' });
  await stage.close();
  return stage.bot.readyAfterMs;
}

const HEAD = {
  name: 'memory: start, idle, and per open run',
  meaning: [
    'The bot as npm start runs it, on a database that exists (a second start): from the start of its process to the first 200 of',
    `/readyz (median of ${MORE_STARTS + 1}), and the resident memory of that process, embedded database included; then with runs whose plans are under way.`,
  ],
};

async function openRuns(stage: Stage, { idle, mib }: { idle: number; mib: () => Promise<number> }): Promise<Row[]> {
  const rows: Row[] = [];
  let open = 0;
  for (const wanted of OPEN_RUNS) {
    for (const ts of await writeMentions(stage.slack, wanted - open)) await mention(stage, ts);
    open = wanted;
    await stage.planner.waitFor(() => stage.planner.openStreams >= wanted, { timeoutMs: OPENED_WITHIN_MS });
    const resident = await mib();
    rows.push({ name: `resident, ${wanted} open runs`, measured: { value: resident, unit: 'MiB' } });
    rows.push({ name: 'per open run', measured: { value: (resident - idle) / wanted, unit: 'MiB' } });
  }
  return rows;
}

async function mention({ slack }: Stage, ts: string): Promise<void> {
  const body = eventBody('app_mention', ts);
  const { acked } = await slack.deliverRaw({ body, headers: slack.sign(body, { secret: SANDBOX.signingSecret }) });
  if (!acked) throw new Error('The bot did not take a mention');
}
