import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { buttonsOf, textOf, watchRuns } from '../support/watched-runs.ts';
import { openStage, type Stage } from './stage.ts';

/** Scripts that end in an answer, and what it holds. */
const ANSWERED = {
  'answer-only': 'Two and two is four.',
  'array-phases': 'Gathered and written.',
  'bad-json': 'The good events counted.',
  bom: 'After the mark.',
  'clarify-withdrawn': 'No question after all.',
  crlf: 'Framed anyhow.',
  'depth-200': 'It was deep.',
  'fields-40000': 'The long fields are done.',
  'finish-twice': 'Said once.',
  happy: 'Northwind',
  'keep-alive': 'Slow, but alive.',
  'no-answer': 'it wrote no answer',
  'no-done': 'Complete, though nobody said DONE.',
  'no-finish': 'Complete, though nobody said stop.',
  'no-titles': 'Both unnamed tasks are done.',
  'out-of-order': 'First, second and last are done.',
  'plan-10000-tasks': 'All 10,000 suppliers were checked.',
  'plan-500-tasks': 'All 500 suppliers were checked.',
  'proto-keys': 'Nothing was polluted.',
  'split-bytes': 'Grüße — 你好, ça va? 🚀',
  'tool-call-delta': 'Both tools were answered.',
  'tool-call-message': 'The tool was answered.',
  'tool-call-whole': 'The tool was answered.',
  'unknown-statuses': 'Odd, but done.',
} as const;

/** Scripts after which nothing is known, and what had arrived. */
const INTERRUPTED = {
  'cut-before-headers': null,
  'cut-clean': null,
  'cut-empty': null,
  'cut-mid-event': 'This much arrived',
} as const;

/** Scripts that end in an error, and the sentence that tells it. */
const FAILED = {
  'error-200-json': 'The planner reported an error',
  'error-400-empty': 'The planner reported an error',
  'error-401': 'The API key was refused by the planner',
  'error-404': '`asi1`, `asi1-mini` and `asi1-ultra`',
  'error-422': 'The planner reported an error',
  'error-500': 'The planner reported an error',
  'error-504-html': 'The planner reported an error',
  'error-mid-stream': 'The planner reported an error',
  'event-5mb': 'more than Steward can take in',
  'tool-calls-forever': 'tools that are not there',
} as const;

const ASKING = {
  'clarify-content': 'There is a train from',
  'clarify-in-task': 'The table is booked',
  'clarify-long': 'Noted',
  'clarify-object': 'Painted',
  'clarify-options': 'Booked as you said',
  'clarify-silent': 'Thank you: the first one.',
  'starts-over': 'Done again.',
} as const;

const RAW = /\bundefined\b|\bnull\b|\bNaN\b|\[object Object\]|\{"|__proto__|<html/;

describe('a stream of the planner', () => {
  let stage: Stage;
  let runs: ReturnType<typeof watchRuns>;
  const asked = new Map<string, { channel: string; ts: string }>();

  /** All scripts are played at once, so that each also shows that it does the others no harm. */
  beforeAll(async () => {
    stage = await openStage();
    runs = watchRuns(stage);
    const scenarios = [ANSWERED, INTERRUPTED, FAILED, ASKING].flatMap((scripts) => Object.keys(scripts));
    const sent = await Promise.all(scenarios.map((scenario) => runs.ask(`play ${scenario}`, scenario)));
    scenarios.forEach((scenario, index) => {
      const thread = sent[index];
      if (thread) asked.set(scenario, thread);
    });
  });
  afterAll(async () => {
    await stage.close();
  });

  function threadOf(scenario: string): { channel: string; ts: string } {
    const thread = asked.get(scenario);
    if (!thread) throw new Error(`${scenario} was not asked for`);
    return thread;
  }

  const requestsOf = (scenario: string) => stage.planner.requests.filter((request) => request.scenario === scenario);

  it.each(Object.entries(ANSWERED))('%s ends as done, with its answer as one new message', async (scenario, words) => {
    const thread = threadOf(scenario);
    await runs.until(thread, 'Done');
    const answers = await runs.replies(thread);
    expect(answers).toHaveLength(1);
    expect(answers[0] && textOf(answers[0])).toContain(words);
    expect(textOf(runs.statusOf(thread))).not.toMatch(RAW);
    expect(buttonsOf(runs.statusOf(thread))).toEqual([]);
  });

  it.each(Object.entries(INTERRUPTED))('%s interrupts the run and offers ways on', async (scenario, partial) => {
    const thread = threadOf(scenario);
    await runs.until(thread, 'Interrupted');
    const status = runs.statusOf(thread);
    expect(buttonsOf(status)).toEqual(['Resume', 'Start over', 'Close']);
    expect(textOf(status)).toContain('Nothing had been approved or paid');
    expect(status.text).toContain('The connection to the planner broke');
    if (partial) expect(textOf(status)).toContain(`*Partial, not an answer:*\n${partial}`);
    else expect(textOf(status)).not.toContain('Partial');
    expect(textOf(status)).not.toMatch(RAW);
    expect(runs.inThread(thread)).toHaveLength(1);
    expect(requestsOf(scenario)).toHaveLength(1);
  });

  it.each(Object.entries(FAILED))('%s fails with a plain sentence and no answer', async (scenario, sentence) => {
    const thread = threadOf(scenario);
    await runs.until(thread, 'Failed');
    const status = runs.statusOf(thread);
    expect(textOf(status)).toContain(sentence);
    expect(textOf(status)).toMatch(/run `[\da-f-]{36}`/);
    expect(textOf(status)).not.toMatch(RAW);
    expect(buttonsOf(status)).toContain('Start over');
    expect(runs.inThread(thread)).toHaveLength(1);
  });

  it.each(Object.entries(ASKING))('%s goes on with one request once it is answered', async (scenario, words) => {
    const thread = threadOf(scenario);
    const card = await runs.untilAsked(thread);
    expect(textOf(card)).not.toMatch(RAW);
    await stage.slack.reply({ text: 'the first one', threadTs: thread.ts });
    await runs.until(thread, 'Done');
    const answer = (await runs.replies(thread, 2))[1];
    expect(answer && textOf(answer)).toContain(words);
    const [first, resume, ...more] = requestsOf(scenario);
    expect([resume?.sessionId, more.length]).toEqual([first?.sessionId, 0]);
    expect(resume?.messages.at(-1)).toEqual({ role: 'user', content: 'the first one' });
    expect(resume?.messages.slice(0, -2)).toEqual(first?.messages);
  });

  it('never makes Slack or the planner refuse a call', () => {
    expect(stage.slack.refused()).toEqual([]);
    expect(stage.planner.refused).toEqual([]);
    expect(stage.planner.openStreams).toBe(0);
  });

  it('that breaks after an answer interrupts the run and says what had been answered', async () => {
    const { slack } = stage;
    const thread = await runs.ask('break later', 'cut-after-resume', SANDBOX.channels.random);
    await runs.untilAsked(thread);
    await slack.reply({ text: 'the first one', threadTs: thread.ts, channel: SANDBOX.channels.random });
    await runs.until(thread, 'Interrupted');
    expect(textOf(runs.statusOf(thread))).toContain('1 answer had been given: “the first one”');
    expect(requestsOf('cut-after-resume')).toHaveLength(2);
  });
});
