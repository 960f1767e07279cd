import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/sandbox/slack/json.ts';
import { Refusal } from '../../../../src/sandbox/slack/refusal.ts';
import { validMessageBlocks } from '../../../../src/sandbox/slack/validate/message.ts';
import { validView } from '../../../../src/sandbox/slack/validate/view.ts';

/** `ok`, or the error word with Slack's messages. */
function judge(check: () => unknown): string {
  try {
    check();
    return 'ok';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { messages = [] } = (error.details.response_metadata ?? {}) as { messages?: string[] };
    return [error.code, ...messages].join('\n');
  }
}

const message = (...blocks: Json[]) => judge(() => validMessageBlocks(blocks, { rejectPlanBlocks: false }));
const plain = (text: string) => ({ type: 'plain_text', text });
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const button = (fields: Json = {}) => ({ type: 'button', action_id: 'a', text: plain('A'), ...fields });
const actions = (...elements: Json[]) => ({ type: 'actions', elements });
const rich = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }] };
const task = (fields: Json = {}) => ({ type: 'task_card', task_id: 't', title: 'T', status: 'pending', ...fields });
const plan = (...tasks: Json[]) => ({ type: 'plan', title: 'Plan', tasks });
const options = (count: number, text = 'o') =>
  Array.from({ length: count }, (_, index) => ({ text: plain(text), value: `v${index}` }));
const field = (element: Json) => ({
  type: 'input',
  label: plain('L'),
  element: { action_id: 'i', ...element },
});
const number = (fields: Json = {}) => field({ type: 'number_input', is_decimal_allowed: true, ...fields });
const image = (fields: Json = {}) => ({
  type: 'image',
  image_url: 'https://a.example/a.png',
  alt_text: 'A',
  ...fields,
});
const select = (fields: Json) => actions({ type: 'static_select', action_id: 's', ...fields });

describe('blocks that Slack takes', () => {
  it.each<[string, Json]>([
    ['a section of 3,000 characters', section('x'.repeat(3_000))],
    [
      'a full plan',
      plan(task({ details: rich, output: rich, sources: [{ type: 'url', url: 'https://a', text: 'a' }] })),
    ],
    ['a plan of 50 tasks', plan(...Array.from({ length: 50 }, (_, index) => task({ task_id: `t${index}` })))],
    ['a markdown block of 12,000 characters', { type: 'markdown', text: 'x'.repeat(12_000) }],
    ['a button with a confirmation', actions(button({ value: 'x'.repeat(2_000), confirm: { text: plain('Sure?') } }))],
    ['a select with 100 options', select({ options: options(100) })],
    ['a task card on its own', task()],
    [
      'ten fields of 2,000 characters',
      { type: 'section', fields: Array.from({ length: 10 }, () => plain('x'.repeat(2_000))) },
    ],
    ['a header of 150 characters', { type: 'header', text: plain('x'.repeat(150)) }],
    ['an image', image({ alt_text: 'x'.repeat(2_000), title: plain('A') })],
    ['a link button', actions(button({ url: `https://a.example/${'x'.repeat(2_982)}` }))],
    ['ten radio buttons', field({ type: 'radio_buttons', options: options(10), initial_option: options(2)[1] })],
    ['ten check boxes', field({ type: 'checkboxes', options: options(10), initial_options: options(2) })],
    [
      '100 groups of options',
      field({
        type: 'static_select',
        option_groups: Array.from({ length: 100 }, () => ({ label: plain('x'.repeat(75)), options: options(2) })),
        initial_option: options(1)[0],
      }),
    ],
    ['a select of several', field({ type: 'multi_static_select', options: options(3), max_selected_items: 2 })],
    ['a number input', number({ min_value: '-1.5', max_value: '10', initial_value: '0' })],
    ['an e-mail input', field({ type: 'email_text_input', placeholder: plain('x'.repeat(150)) })],
    ['a hint of 2,000 characters', { ...number(), hint: plain('x'.repeat(2_000)) }],
    ['an input', { type: 'input', label: plain('L'), element: { type: 'plain_text_input', action_id: 'i' } }],
  ])('takes %s', (_name, block) => {
    expect(message(block)).toBe('ok');
  });
});

describe('blocks that Slack refuses', () => {
  it.each<[string, Json, string]>([
    ['a section of 3,001 characters', section('x'.repeat(3_001)), 'less than 3001 characters'],
    ['an empty section text', section(''), 'more than 0 characters'],
    ['a section without text and fields', { type: 'section' }, 'needs text or fields'],
    ['a header of 151 characters', { type: 'header', text: plain('x'.repeat(151)) }, 'less than 151'],
    ['a header in mrkdwn', { type: 'header', text: { type: 'mrkdwn', text: 'x' } }, 'must be one of: plain_text'],
    ['a button label of 76 characters', actions(button({ text: plain('x'.repeat(76)) })), 'less than 76'],
    ['a button value of 2,001 characters', actions(button({ value: 'x'.repeat(2_001) })), 'less than 2001'],
    ['an action id of 256 characters', actions(button({ action_id: 'x'.repeat(256) })), 'less than 256'],
    ['a made-up button style', actions(button({ style: 'green' })), 'must be one of: primary, danger'],
    ['the same action id twice', actions(button(), button()), '`action_id` "a" already exists'],
    ['26 actions', actions(...Array.from({ length: 26 }, (_, i) => button({ action_id: `a${i}` }))), 'no more than 25'],
    [
      '11 context elements',
      { type: 'context', elements: Array.from({ length: 11 }, () => plain('x')) },
      'no more than 10',
    ],
    ['51 tasks', plan(...Array.from({ length: 51 }, (_, i) => task({ task_id: `t${i}` }))), 'no more than 50'],
    ['the same task id twice', plan(task(), task()), '`task_id` "t" already exists'],
    ['a task status of its own', plan(task({ status: 'completed' })), 'must be one of: pending'],
    ['a task without title', plan(task({ title: '' })), 'more than 0 characters'],
    ['task details as a string', plan(task({ details: 'x' })), 'must be a rich_text object'],
    ['a plan without tasks', plan(), 'no fewer than 1'],
    ['101 options', select({ options: options(101) }), 'no more than 100'],
    ['an option text of 76 characters', select({ options: options(1, 'x'.repeat(76)) }), 'less than 76'],
    ['options and option groups', select({ options: options(1), option_groups: [] }), 'needs options or option_groups'],
    ['eleven fields', { type: 'section', fields: Array.from({ length: 11 }, () => plain('x')) }, 'no more than 10'],
    ['a field of 2,001 characters', { type: 'section', fields: [plain('x'.repeat(2_001))] }, 'less than 2001'],
    ['an image without words', image({ alt_text: undefined }), 'missing required field: alt_text'],
    ['an image with empty words', image({ alt_text: '' }), 'more than 0 characters'],
    ['an image that is no web address', image({ image_url: 'data:image/png;base64,AA==' }), 'must be a valid URL'],
    ['an image address of 3,001 characters', image({ image_url: `https://a/${'x'.repeat(3_001)}` }), 'less than 3001'],
    ['a link button to nowhere', actions(button({ url: 'a.example/pay' })), 'must be a valid URL'],
    ['a link of 3,001 characters', actions(button({ url: `https://a/${'x'.repeat(2_991)}` })), 'less than 3001'],
    ['eleven radio buttons', field({ type: 'radio_buttons', options: options(11) }), 'no more than 10'],
    ['eleven check boxes', field({ type: 'checkboxes', options: options(11) }), 'no more than 10'],
    [
      'an option description of 76 characters',
      select({ options: [{ ...options(1)[0], description: plain('x'.repeat(76)) }] }),
      'less than 76',
    ],
    ['an option that is a link', select({ options: [{ ...options(1)[0], url: 'https://a' }] }), 'property: url'],
    [
      'an option value of 151 characters',
      select({ options: [{ text: plain('o'), value: 'x'.repeat(151) }] }),
      'less than 151',
    ],
    [
      '101 groups of options',
      select({ option_groups: Array.from({ length: 101 }, () => ({ label: plain('g'), options: options(1) })) }),
      'no more than 100',
    ],
    ['an empty group', select({ option_groups: [{ label: plain('g'), options: [] }] }), 'no fewer than 1'],
    ['a group without label', select({ option_groups: [{ options: options(1) }] }), 'missing required field: label'],
    [
      'a first choice that is no option',
      select({ options: options(1), initial_option: options(2)[1] }),
      'one of the options',
    ],
    [
      'first choices that are no options',
      field({ type: 'checkboxes', options: options(1), initial_options: options(2) }),
      'some of the options',
    ],
    ['no first choices', field({ type: 'checkboxes', options: options(1), initial_options: [] }), 'no fewer than 1'],
    [
      'no choices to be made',
      field({ type: 'multi_static_select', options: options(1), max_selected_items: 0 }),
      'from 1',
    ],
    ['a number input that says nothing of decimals', number({ is_decimal_allowed: undefined }), 'is_decimal_allowed'],
    ['a bound that is a number', number({ min_value: 1 }), 'must be a number in a string'],
    ['bounds the wrong way round', number({ min_value: '2', max_value: '1' }), 'must not be more than max_value'],
    [
      'a placeholder of 151 characters',
      field({ type: 'email_text_input', placeholder: plain('x'.repeat(151)) }),
      'less than 151',
    ],
    ['a hint of 2,001 characters', { ...number(), hint: plain('x'.repeat(2_001)) }, 'less than 2001'],
    [
      'a confirmation title of 101 characters',
      actions(button({ confirm: { title: plain('x'.repeat(101)), text: plain('x') } })),
      'less than 101',
    ],
    [
      'a confirmation text of 301 characters',
      actions(button({ confirm: { text: plain('x'.repeat(301)) } })),
      'less than 301',
    ],
    [
      'a confirming word of 31 characters',
      actions(button({ confirm: { text: plain('x'), confirm: plain('x'.repeat(31)) } })),
      'less than 31',
    ],
    ['an unknown block type', { type: 'fancy' }, 'unsupported type: fancy'],
    ['an alert in a message', { type: 'alert', text: plain('x') }, 'unsupported type: alert'],
    ['an unknown field', { type: 'divider', colour: 'red' }, 'invalid additional property: colour'],
    [
      'an empty rich text run',
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] }] },
      'more than 0',
    ],
    [
      '101 table rows',
      { type: 'table', rows: Array.from({ length: 101 }, () => [{ type: 'raw_text', text: 'x' }]) },
      'no more than 100',
    ],
    [
      '10,001 table characters',
      { type: 'table', rows: [[{ type: 'raw_text', text: 'x'.repeat(10_001) }]] },
      '10000 characters',
    ],
  ])('refuses %s', (_name, block, problem) => {
    const verdict = message(block);
    expect(verdict).toMatch(/^invalid_blocks\n\[ERROR\]/);
    expect(verdict).toContain(problem);
  });

  it('points at the place', () => {
    expect(message(section('fine'), section(''))).toContain('[json-pointer:/blocks/1/text/text]');
  });

  it('refuses 51 blocks, a block id twice and something that is no list', () => {
    expect(message(...Array.from({ length: 51 }, () => ({ type: 'divider' })))).toContain('no more than 50');
    expect(message({ ...section('x'), block_id: 'b' }, { ...section('y'), block_id: 'b' })).toContain('`block_id` "b"');
    expect(judge(() => validMessageBlocks({}, { rejectPlanBlocks: false }))).toBe('invalid_blocks_format');
  });

  it('counts markdown over the whole message', () => {
    const half = { type: 'markdown', text: 'x'.repeat(6_001) };
    expect(message(half, half)).toBe('msg_too_long');
  });

  it('refuses plan blocks in a workspace that has none', () => {
    const verdict = judge(() => validMessageBlocks([plan(task())], { rejectPlanBlocks: true }));
    expect(verdict).toContain('unsupported type: plan');
  });
});

describe('modals', () => {
  const input = { type: 'input', label: plain('L'), element: { type: 'plain_text_input', action_id: 'i' } };
  const modal = (fields: Json = {}) => ({ type: 'modal', title: plain('T'), blocks: [section('x')], ...fields });

  it('takes a modal with an input and a submit button', () => {
    expect(judge(() => validView(modal({ blocks: [input], submit: plain('Send') })))).toBe('ok');
  });

  it.each<[string, Json, string]>([
    ['a title of 25 characters', modal({ title: plain('x'.repeat(25)) }), 'less than 25'],
    ['3,001 characters of private metadata', modal({ private_metadata: 'x'.repeat(3_001) }), 'less than 3001'],
    ['101 blocks', modal({ blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }), 'no more than 100'],
    ['an input without a submit button', modal({ blocks: [input] }), 'missing required field: submit'],
    ['a plan', modal({ blocks: [plan(task())] }), 'unsupported type: plan'],
    ['a markdown block', modal({ blocks: [{ type: 'markdown', text: 'x' }] }), 'unsupported type: markdown'],
  ])('refuses %s', (_name, view, problem) => {
    expect(judge(() => validView(view))).toMatch(/^invalid_arguments\n/);
    expect(judge(() => validView(view))).toContain(problem);
  });

  it('refuses 250 KB', () => {
    const blocks = Array.from({ length: 90 }, () => section('x'.repeat(3_000)));
    expect(judge(() => validView(modal({ blocks })))).toBe('view_too_large');
  });
});
