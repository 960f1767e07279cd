import type { GeneratorName, Step } from './scenario.ts';

const MIB = 1024 * 1024;

const plan = (fields: object): Step => ({ plan: { plan_status: 'in_progress', ...fields } });

/** Events that announce phases of tasks, one event per phase, then finish every task with one event each. */
function* manyTasks(phases: number, tasksPerPhase: number): Iterable<Step> {
  for (let phase = 0; phase < phases; phase += 1) {
    const tasks = Object.fromEntries(
      Array.from({ length: tasksPerPhase }, (_, task) => [
        String(task),
        { status: 'pending', task: `Check supplier ${phase * tasksPerPhase + task + 1}` },
      ]),
    );
    yield plan({ phases: { [phase]: { status: 'in_progress', reasoning: `Round ${phase + 1}`, tasks } } });
  }
  for (let phase = 0; phase < phases; phase += 1) {
    for (let task = 0; task < tasksPerPhase; task += 1) {
      yield plan({ phases: { [phase]: { tasks: { [task]: { status: 'completed' } } } } });
    }
    yield plan({ phases: { [phase]: { status: 'completed' } } });
  }
}

function* longFields(): Iterable<Step> {
  const long = (word: string) => `${word} `.repeat(Math.ceil(40_000 / (word.length + 1))).slice(0, 40_000);
  const task = {
    status: 'in_progress',
    task: long('title'),
    agents: [{ address: `agent1q${'g'.repeat(58)}`, name: long('finder') }],
    agent: long('agent'),
    message: long('message'),
    reply: long('reply'),
    error: long('error'),
    tool: long('tool'),
  };
  yield plan({
    phases: {
      '0': { status: 'in_progress', title: long('phase'), reasoning: long('reasoning'), tasks: { '0': task } },
    },
  });
  yield plan({ phases: { '0': { status: 'completed', tasks: { '0': { status: 'completed' } } } } });
}

/** JSON nested `depth` levels deep, in a place where any value may stand. */
function nest(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { in: value } : [value];
  return value;
}

function* deepJson(): Iterable<Step> {
  yield plan({ phases: { '0': { status: 'in_progress', tasks: { '0': { status: 'pending', reply: nest(200) } } } } });
  yield { event: { choices: [], metadata: { type: 'plan_state', phases: nest(200) } } };
  yield { event: nest(200) };
}

function* bigEvent(): Iterable<Step> {
  const reply = 'The supplier sent its whole catalogue. '.repeat(Math.ceil((5 * MIB) / 39));
  yield plan({ phases: { '0': { status: 'in_progress', tasks: { '0': { status: 'completed', reply } } } } });
}

function sqlLines(lines: number): string[] {
  return Array.from(
    { length: lines },
    (_, line) =>
      `SELECT ${line + 1} AS step, supplier_id, sum(amount) FROM invoices WHERE month = ${(line % 12) + 1} GROUP BY supplier_id;`,
  );
}

/** A report of more than 70,000 characters whose middle is one 220-line SQL fence. */
function longAnswer(): string {
  const chapter = (number: number) =>
    [
      `## ${number}. Supplier group ${number}`,
      '',
      ...Array.from(
        { length: 12 },
        (_, line) =>
          `- **Supplier ${number}.${line + 1}** answered in ${line + 2} days; see [its offer](https://example.com/offers/${number}/${line + 1}). The price holds until the end of the month, delivery is included, and the contract can be ended with four weeks' notice.`,
      ),
      '',
    ].join('\n');
  const chapters = Array.from({ length: 18 }, (_, index) => chapter(index + 1));
  const sql = ['## The query behind it', '', '```sql', ...sqlLines(220), '```', ''].join('\n');
  return ['# All suppliers', '', ...chapters.slice(0, 9), sql, ...chapters.slice(9), 'That is all of it.'].join('\n');
}

function* answerLong(): Iterable<Step> {
  yield { text: longAnswer(), pieces: 40 };
}

function* answerSql(): Iterable<Step> {
  yield { text: ['```sql', ...sqlLines(220), '```'], pieces: 20 };
}

/** Steps that are too big, too deep or too many to write down. */
const GENERATORS: Record<GeneratorName, () => Iterable<Step>> = {
  'plan-500-tasks': () => manyTasks(10, 50),
  'plan-10000-tasks': () => manyTasks(100, 100),
  'fields-40000': longFields,
  'depth-200': deepJson,
  'event-5mb': bigEvent,
  'answer-long': answerLong,
  'answer-sql': answerSql,
};

export function generateSteps(name: GeneratorName): Iterable<Step> {
  return GENERATORS[name]();
}
