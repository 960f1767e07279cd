import { open, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureAcks } from './measures/acks.ts';
import { measureBurst } from './measures/burst.ts';
import { measureFold } from './measures/fold.ts';
import { measureMemory } from './measures/memory.ts';
import { measureQueues } from './measures/queues.ts';
import { measureStatusLag } from './measures/status-lag.ts';
import { formatSection, type Section } from './report.ts';
import { createTheatre, type Theatre } from './stage/stage.ts';

type GetTheatre = () => Promise<Theatre>;

/** What `--only` chooses from, in the order of the table. */
const MEASURES: Record<string, (theatre: GetTheatre) => Promise<Section>> = {
  acks: async (theatre) => measureAcks(await theatre()),
  burst: async (theatre) => measureBurst(await theatre()),
  fold: async () => measureFold(),
  lag: async (theatre) => measureStatusLag(await theatre()),
  queue: async (theatre) => measureQueues(await theatre()),
  memory: async (theatre) => measureMemory(await theatre()),
};

const USAGE = `npm run bench                        every measure, some minutes long
npm run bench -- --only fold,queue   some of them: ${Object.keys(MEASURES).join(', ')}
npm run bench -- --json FILE         the same, and as JSON in a file`;

/** @throws when an option is unknown or names a measure that there is not */
function readOptions(): { names: string[]; jsonFile: string | undefined } | 'help' {
  const options = {
    only: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help === true) return 'help';
  const names = values.only?.split(',') ?? Object.keys(MEASURES);
  const unknown = names.filter((name) => !Object.hasOwn(MEASURES, name));
  if (unknown.length > 0) {
    throw new Error(`--only ${unknown.join(',')}: unknown. There are: ${Object.keys(MEASURES).join(', ')}`);
  }
  return { names, jsonFile: values.json };
}

function machine() {
  const cores = availableParallelism();
  return { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores, load: loadavg()[0] ?? 0 };
}

/** Measures one after the other and prints each as soon as it is there. */
async function measure(names: readonly string[], theatre: GetTheatre): Promise<Section[]> {
  const sections: Section[] = [];
  for (const name of names) {
    const section = await MEASURES[name]?.(theatre);
    if (!section) continue;
    process.stdout.write(`${formatSection(section)}\n`);
    sections.push(section);
  }
  return sections;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === 'help') return void process.stdout.write(`${USAGE}\n`);
  const { names, jsonFile } = options;
  // Before minutes of measuring, not after them: a file that cannot be written.
  if (jsonFile !== undefined) await (await open(jsonFile, 'a')).close();
  const at = machine();
  process.stdout.write(`Node ${at.node}, ${at.cores} × ${at.cpu}, load ${at.load.toFixed(1)} at the start.\n\n`);
  let theatre: Promise<Theatre> | undefined;
  const getTheatre = () => {
    theatre ??= createTheatre();
    return theatre;
  };
  try {
    const sections = await measure(names, getTheatre);
    if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify({ machine: at, sections }, null, 2)}\n`);
  } finally {
    await (await theatre)?.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
