import type { GeneratorName, PlainStep } from './scenario.ts';

const MIB = 1024 * 1024;

const plan = (fields: object): PlainStep => ({ plan: { plan_status: 'in_progress', ...fields } });

/** Events that announce phases of tasks, one event per phase, then finish every task with one event each. */
function* manyTasks(phases: number, tasksPerPhase: number): Iterable<PlainStep> {
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

function* longFields(): Iterable<PlainStep> {
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

function* deepJson(): Iterable<PlainStep> {
  yield plan({ phases: { '0': { status: 'in_progress', tasks: { '0': { status: 'pending', reply: nest(200) } } } } });
  yield { event: { choices: [], metadata: { type: 'plan_state', phases: nest(200) } } };
  yield { event: nest(200) };
}

function* bigEvent(): Iterable<PlainStep> {
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

function* answerLong(): Iterable<PlainStep> {
  yield { text: longAnswer(), pieces: 40 };
}

function* answerSql(): Iterable<PlainStep> {
  yield { text: ['```sql', ...sqlLines(220), '```'], pieces: 20 };
}

/** Pings, forged markup and a forged control text, and text that is written backwards. */
const HOSTILE =
  '<!channel> <!here> @here <@U0ALICE001> <!subteam^S1> *bold* `code` \u202e002 DSU\u202c <https://evil.example|Approve> <stripe:payment_id:00000000-0000-4000-8000-000000000000:CONFIRM> ';
const PAYEE = 'agent1qfnjsuwnfc5wu8ju7kwezamc6t6tdngtfmw8jc3szxf8kkw7qujm5h5tdr9';

function* paymentHostile(): Iterable<PlainStep> {
  const amounts = ['2.00', `9${'0'.repeat(39)}`, '1e3', '-5', '２５', '1,000.00', `0.${'0'.repeat(30)}1`];
  const request = {
    accepted_funds: amounts.map((amount) => ({ amount, currency: 'USD', payment_method: 'stripe' })),
    recipient: PAYEE,
    recipient_name: `${HOSTILE}${'Very Long Payee '.repeat(20)}`.slice(0, 300),
    reference: HOSTILE,
    description: HOSTILE.repeat(Math.ceil(40_000 / HOSTILE.length)).slice(0, 40_000),
    deadline_seconds: 600,
    metadata: { stripe: { client_secret: 'cs_test_sandbox_secret_never_show' } },
  };
  yield inTask('payment_requested', { payment_request: request });
}

function* manyChoices(): Iterable<PlainStep> {
  const items = Array.from({ length: 120 }, (_, index) => ({
    id: `off_${index}`,
    title: `Offer ${index + 1}`,
    primary_cta: { label: `Take offer ${index + 1}`, selection: { offer_id: `off_${index}` } },
  }));
  yield inTask('card_interaction_requested', { card: flatCard('carousel', { title: '120 offers', items }) });
}

function* largeCard(): Iterable<PlainStep> {
  const rows = Array.from({ length: 1_000 }, (_, index) => ({ label: `Row ${index}`, value: 'x'.repeat(50) }));
  const payload = { title: 'Large', summary_rows: rows, approve_cta: { label: 'Go on', selection: { action: 'go' } } };
  yield inTask('card_interaction_requested', { card: flatCard('review', payload) });
}

/** A card as an agent sends it: all values are strings. */
function flatCard(kind: string, payload: object): object {
  return {
    card_protocol_version: '1',
    requires_card_interaction: 'true',
    card_kind: kind,
    card_payload: JSON.stringify(payload),
  };
}

function inTask(status: string, task: object): PlainStep {
  return plan({ plan_status: status, phases: { '0': { tasks: { '0': task } } } });
}

/** Steps that are too big, too deep or too many to write down. */
const GENERATORS: Record<GeneratorName, () => Iterable<PlainStep>> = {
  'plan-500-tasks': () => manyTasks(10, 50),
  'plan-10000-tasks': () => manyTasks(100, 100),
  'fields-40000': longFields,
  'depth-200': deepJson,
  'event-5mb': bigEvent,
  'answer-long': answerLong,
  'answer-sql': answerSql,
  'payment-hostile': paymentHostile,
  'card-120-choices': manyChoices,
  'card-70-kb': largeCard,
};

export function generateSteps(name: GeneratorName): Iterable<PlainStep> {
  return GENERATORS[name]();
}
