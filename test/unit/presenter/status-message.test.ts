import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEDGER_STATES, type LedgerEntry } from '../../../src/domain/payment.ts';
import type { Plan, TaskStatus } from '../../../src/domain/plan.ts';
import { type FailureCode, RUN_STATES } from '../../../src/domain/run.ts';
import { decisionTurn } from '../../../src/pause/decision-turn.ts';
import { LIMITS } from '../../../src/presenter/limits.ts';
import { statusMessage } from '../../../src/presenter/status-message.ts';
import { aPause, aPhase, aPlan, aRun, aTask, aView, NOW } from './factories.ts';
import { aCard, aCardPause, anApproval, anApproved, anEntry, aPayment, someTerms } from './money-factories.ts';
import { elementsOf, list, read, slackProblems, textsOf } from './slack-rules.ts';

const STATUSES: TaskStatus[] = ['pending', 'in_progress', 'complete', 'error'];
const TRIP = aPlan([
  aPhase({
    tasks: [aTask({ status: 'complete' }), aTask({ title: 'Compare hotels', status: 'in_progress', agent: 'hotels' })],
  }),
  aPhase({ title: 'Book', status: 'pending', tasks: [aTask({ title: 'Hold the room' })] }),
]);

function buttonsOf(content: { blocks: readonly object[] }): unknown[] {
  return elementsOf(content).map((element) => [element.action_id, element.value]);
}

function everyText(content: object): string {
  return textsOf(content).join('\n');
}

describe('a status message', () => {
  it('says state, progress, time and the current step outside the plan', () => {
    const content = statusMessage(aView({ run: aRun({ plan: TRIP }) }));
    const [head] = content.blocks;
    expect(read(read(head, 'text'), 'text')).toBe('*Working* · 1 of 3 tasks · 2 min 05 s\nNow: Compare hotels');
    expect(content.text).toBe('Working, 1 of 3 tasks, 2 min 05 s. Now: Compare hotels');
  });

  it('shows the plan as a native block, and as sections for workspaces without it', () => {
    const content = statusMessage(aView({ run: aRun({ plan: TRIP }) }));
    const plan = content.blocks.find((block) => read(block, 'type') === 'plan');
    expect(list(read(plan, 'tasks')).map((task) => [read(task, 'title'), read(task, 'status')])).toEqual([
      ['Research › Find flights', 'complete'],
      ['Research › Compare hotels', 'in_progress'],
      ['Book › Hold the room', 'pending'],
    ]);
    expect(content.fallbackBlocks?.some((block) => read(block, 'type') === 'plan')).toBe(false);
    expect(everyText([...(content.fallbackBlocks ?? [])])).toContain('▸ Research › Compare hotels – hotels');
  });

  it('names the agents used', () => {
    expect(everyText(statusMessage(aView({ run: aRun({ plan: TRIP }) })))).toContain('Agents: hotels');
  });

  it('numbers tasks and phases that have no title', () => {
    const plan = aPlan([
      aPhase({ tasks: [aTask(), aTask()] }),
      aPhase({ title: null, tasks: [aTask({ title: null })] }),
    ]);
    expect(everyText(statusMessage(aView({ run: aRun({ plan }) })))).toContain('Phase 2 › Task 3');
  });

  it.each(['undefined', 'null', '[object Object]', '{"a":1}', '[{"b":2}]', '   '])(
    'never shows %s as a title',
    (title) => {
      const shown = everyText(
        statusMessage(aView({ run: aRun({ plan: aPlan([aPhase({ tasks: [aTask({ title, message: title })] })]) }) })),
      );
      expect(shown).toContain('Task 1');
      if (title.trim()) expect(shown).not.toContain(title);
    },
  );

  it('offers Stop while the run can be stopped, and not after', () => {
    const runId = aRun().id;
    for (const state of ['queued', 'running', 'paused'] as const) {
      expect(buttonsOf(statusMessage(aView({ run: aRun({ state }) })))).toEqual([['stop_run', runId]]);
    }
    expect(buttonsOf(statusMessage(aView({ run: aRun({ state: 'completed', endedAt: NOW }) })))).toEqual([]);
  });

  it('tells a queued run its place in the thread', () => {
    const content = statusMessage(aView({ run: aRun({ state: 'queued', startedAt: null }), ahead: 1 }));
    expect(everyText(content)).toContain('2nd in this thread');
  });

  it('says for whom a paused run waits and until when', () => {
    const content = statusMessage(aView({ run: aRun({ state: 'paused' }), pause: aPause() }));
    expect(everyText(content)).toContain(
      'Waiting for <@U1> to answer the question below, until <!date^1790858100^{time}|12:35 UTC>',
    );
  });

  it('shows that a request is tried again', () => {
    const content = statusMessage(aView({ retry: { attempt: 2, waitMs: 5_000, code: 'planner_rate_limited' } }));
    expect(everyText(content)).toContain('Trying again in 5 s (attempt 2)');
    const soon = statusMessage(aView({ retry: { attempt: 3, waitMs: 400, code: 'planner_unavailable' } }));
    expect(everyText(soon)).toContain('Trying again in a moment (attempt 3)');
  });

  it('says that an answer is written only once there is text', () => {
    const plan = aPlan([aPhase({ tasks: [aTask({ status: 'complete' }), aTask()] })]);
    expect(statusMessage(aView({ run: aRun({ plan }) })).text).toContain('Planning the next step.');
    expect(statusMessage(aView({ run: aRun({ plan, answer: 'So' }) })).text).toContain('Writing the answer.');
  });

  it('says what Slack has no status for: skipped, timed out, waiting for a reply', () => {
    const tasks = [
      aTask({ status: 'complete', rawStatus: 'skipped' }),
      aTask({ status: 'error', rawStatus: 'timeout', agent: 'hotels' }),
      aTask({ status: 'in_progress', rawStatus: 'waiting_response' }),
    ];
    const shown = everyText(statusMessage(aView({ run: aRun({ plan: aPlan([aPhase({ tasks })]) }) })));
    for (const words of ['skipped', 'timed out · hotels', 'waiting for a reply']) expect(shown).toContain(words);
    // The phase is named, even where it is the only one.
    expect(shown).toContain('Research › Find flights');
  });

  it('names the earlier runs that a queued one waits for', () => {
    const queued = aRun({ state: 'queued', startedAt: null });
    expect(everyText(statusMessage(aView({ run: queued, ahead: 1 })))).toContain('when the earlier run has ended');
    expect(everyText(statusMessage(aView({ run: queued, ahead: 2 })))).toContain('when the earlier runs have ended');
  });

  it('offers Resume, Start over and Close on an interrupted run and says what had been answered', () => {
    const run = aRun({
      state: 'interrupted',
      failure: 'process_lost',
      endedAt: NOW,
      turns: [
        { role: 'assistant', content: 'Which city?' },
        { role: 'user', content: 'Paris' },
      ],
    });
    const content = statusMessage(aView({ run, pause: aPause({ state: 'decided', decidedBy: 'U1' }) }));
    expect(buttonsOf(content).map((one) => list(one)[0])).toEqual(['resume_run', 'start_over_run', 'close_run']);
    expect(everyText(content)).toContain(
      'Nothing had been paid. 1 answer had been given: “Paris” (the last by <@U1>).',
    );
  });

  it('says for what kind of pause a run waits', () => {
    const payment = statusMessage(aView({ run: aRun({ state: 'paused' }), pause: aPayment() }));
    expect(everyText(payment)).toContain('*Waiting for approval*');
    expect(everyText(payment)).toContain('Waiting for a decision on the payment below, until <!date^');
    const card = statusMessage(aView({ run: aRun({ state: 'paused' }), pause: aCardPause(aCard()) }));
    expect(everyText(card)).toContain('Waiting for <@U1> to answer the card below, until');
  });

  it('says of an expired payment that nobody decided', () => {
    const pause = aPayment(undefined, { state: 'expired' });
    const content = statusMessage(aView({ run: aRun({ state: 'expired', endedAt: NOW }), pause }));
    expect(everyText(content)).toContain('There was no decision on the payment by <!date^');
    expect(everyText(content)).toContain('Expired without a decision');
  });

  it('lists what had been approved, each payment for itself, and whether the planner was told', () => {
    const payments = [
      anApproved({ state: 'settled', sentAt: NOW }),
      anApproved({ state: 'unknown', sentAt: NOW, approverIds: ['U1', 'U2'] }),
      anEntry({ approverIds: ['U2'], approversNeeded: 2, state: 'expired' }),
    ];
    for (const state of ['interrupted', 'stopped', 'failed', 'expired'] as const) {
      const shown = everyText(statusMessage(aView({ run: aRun({ state, endedAt: NOW }), payments })));
      expect(shown).toContain(
        'approved by <@U1> at <!date^1790856307^{time}|12:05 UTC>: the planner was told, and its plan went on.',
      );
      expect(shown).toContain('approved by <@U1> and <@U2> at');
      expect(shown).toContain('it is not known whether the planner heard of it, or whether it was paid.');
      expect(shown).toContain('one of two approvals had been given, by <@U2>');
      expect(shown).not.toMatch(/Nothing had been|50 USD/);
    }
  });

  it('shows the approval of a payment once, and not as an answer in words', () => {
    const turns = [decisionTurn(aPayment().request, anApproval())];
    const run = aRun({ state: 'interrupted', failure: 'stream_cut', endedAt: NOW, turns });
    const pause = aPayment(undefined, { state: 'decided', decidedBy: 'U1' });
    const shown = everyText(statusMessage(aView({ run, pause, payments: [anApproved()] })));
    expect(shown).toContain('approved by <@U1>');
    expect(shown).not.toMatch(/answer had been given|I approve/);
  });

  it('says that nothing was approved where payments were only asked for or declined', () => {
    const run = aRun({ state: 'stopped', endedAt: NOW });
    const payments = [anEntry(), anEntry({ state: 'declined' })];
    expect(everyText(statusMessage(aView({ run, payments })))).toContain('Nothing had been approved or paid.');
  });

  it('has no buttons once someone chose, and says who chose what', () => {
    const choice = { action: 'close', actorId: 'U2', at: NOW } as const;
    const content = statusMessage(
      aView({ run: aRun({ state: 'interrupted', failure: 'stream_cut', choice, endedAt: NOW }) }),
    );
    expect(buttonsOf(content)).toEqual([]);
    expect(everyText(content)).toContain('<@U2> chose *Close*');
  });

  it('shows a partial answer as partial', () => {
    const run = aRun({ state: 'interrupted', failure: 'stream_cut', answer: 'The best <!here> hotel', endedAt: NOW });
    expect(everyText(statusMessage(aView({ run })))).toContain(
      '*Partial, not an answer:*\nThe best &lt;!here&gt; hotel',
    );
  });

  it('says who stopped a run and what was done', () => {
    const run = aRun({ state: 'stopped', stopRequestedBy: 'U1', plan: TRIP, endedAt: NOW });
    const shown = everyText(statusMessage(aView({ run })));
    expect(shown).toContain('Stopped by <@U1>. 1 of 3 tasks had been done.');
    expect(shown).toContain('Nothing had been approved');
  });

  it('names the valid models when the planner does not know the configured one', () => {
    const run = aRun({ state: 'failed', failure: 'planner_model_unknown', endedAt: NOW });
    const content = statusMessage(aView({ run }));
    expect(everyText(content)).toContain('`asi1`, `asi1-mini` and `asi1-ultra`');
    expect(everyText(content)).toContain(run.id);
    expect(buttonsOf(content)).toEqual([['start_over_run', run.id]]);
  });

  it('shows nothing as under way once the run is over', () => {
    const run = aRun({ state: 'interrupted', failure: 'process_lost', plan: TRIP, endedAt: NOW });
    expect(JSON.stringify(statusMessage(aView({ run })))).not.toContain('in_progress');
  });

  it('never shows the session id', () => {
    expect(JSON.stringify(statusMessage(aView()))).not.toContain('secret-session');
  });

  it('folds finished phases of a long plan and keeps what runs', () => {
    const done = Array.from({ length: 100 }, () => aTask({ status: 'complete' }));
    const plan = aPlan([
      aPhase({ title: 'Old', tasks: done }),
      aPhase({ title: 'New', tasks: [aTask({ title: 'Live step', status: 'in_progress' })] }),
    ]);
    const shown = everyText(statusMessage(aView({ run: aRun({ plan }) })));
    expect(shown).toContain('Old (100 of 100 done)');
    expect(shown).toContain('New › Live step');
  });

  it('keeps running tasks of 500 and counts the ones left out', () => {
    const tasks = Array.from({ length: 500 }, (_, index) =>
      aTask({ title: `T${index} ${'x'.repeat(40_000)}`, status: index === 250 ? 'in_progress' : 'pending' }),
    );
    const content = statusMessage(aView({ run: aRun({ plan: aPlan([aPhase({ tasks })]) }) }));
    expect(everyText(content)).toContain('T250');
    expect(everyText(content)).toMatch(/…and \d+ more tasks/);
    expect(slackProblems(content)).toEqual([]);
  });

  it('fits every plan into what Slack takes, in both forms', () => {
    fc.assert(
      fc.property(anyPlan(), anyRun(), anyPayments(), (plan, fields, payments) => {
        const run = aRun({ ...fields, plan });
        const content = statusMessage(
          aView({ run, payments, pause: aPause(), retry: { attempt: 1, waitMs: 1, code: 'planner_unavailable' } }),
        );
        for (const blocks of [content.blocks, content.fallbackBlocks ?? []]) {
          expect(slackProblems({ text: content.text, blocks })).toEqual([]);
          expect(weight(blocks)).toBeLessThanOrEqual(LIMITS.message.weightedBytes);
          expect(everyText([...blocks])).not.toMatch(
            /<!(?!date\^)|<@(?!U1>)|\[object Object\]|@(?:here|channel|everyone)\b/i,
          );
        }
        expect(content.text.length).toBeLessThanOrEqual(300);
      }),
      { numRuns: 100 },
    );
  });
});

/** UTF-8 JSON, with the details of tasks a second time. */
function weight(blocks: readonly object[]): number {
  const tasks = blocks.flatMap((block) => list(read(block, 'tasks')));
  const details = tasks.map((task) => JSON.stringify(read(task, 'details') ?? '')).join('');
  return Buffer.byteLength(JSON.stringify(blocks) + details);
}

function anyText(): fc.Arbitrary<string> {
  const nasty = fc.constantFrom(
    '<!channel>',
    '<@U99>',
    '@here',
    'undefined',
    '[object Object]',
    '{"a":{"b":1}}',
    '&<>"\\',
    '👩‍👩‍👧‍👦',
    '\u0001\u202e',
    '\ud800',
    'é'.repeat(3_000),
    '"'.repeat(40_000),
    '漢'.repeat(40_000),
    '<'.repeat(5_000),
    '🇩🇪'.repeat(500),
    'a\n\nb',
  );
  return fc.oneof(
    fc.array(nasty, { maxLength: 4 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
    nasty,
  );
}

function anyPlan(): fc.Arbitrary<Plan> {
  const text = fc.option(anyText());
  const task = fc
    .record({
      title: text,
      status: fc.constantFrom(...STATUSES),
      agent: text,
      message: text,
      reply: text,
      error: text,
      tool: text,
    })
    .map(aTask);
  const phase = fc
    .record({
      title: text,
      status: fc.constantFrom(...STATUSES),
      tasks: fc.array(task, { maxLength: 12 }),
      copies: fc.constantFrom(1, 1, 50),
    })
    .map(({ copies, tasks, ...fields }) =>
      aPhase({ ...fields, tasks: Array.from({ length: copies }, () => tasks).flat() }),
    );
  return fc.array(phase, { maxLength: 8 }).map((phases) => aPlan(phases));
}

function anyPayments(): fc.Arbitrary<LedgerEntry[]> {
  const text = anyText();
  const entry = fc
    .record({ payeeName: text, amount: text, currency: text, state: fc.constantFrom(...LEDGER_STATES) })
    .map(({ payeeName, amount, currency, state }) =>
      anApproved({ state, terms: someTerms({ payeeName, options: [{ amount, currency, method: 'stripe' }] }) }),
    );
  return fc.array(entry, { maxLength: 8 });
}

function anyRun() {
  const state = fc.constantFrom(...RUN_STATES);
  const failure: fc.Arbitrary<FailureCode> = fc.constantFrom('planner_model_unknown', 'internal', 'stream_cut');
  const turns = fc.array(
    anyText().map((content) => ({ role: 'user' as const, content })),
    { maxLength: 5 },
  );
  return fc.record({ state, failure, answer: anyText(), turns });
}
