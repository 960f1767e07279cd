import { expect, test } from 'vitest';
import { readArguments, UsageError } from '../../../../src/sandbox/demo/arguments.ts';
import { fillModal } from '../../../../src/sandbox/demo/fill-modal.ts';
import { messageLines, modalLines } from '../../../../src/sandbox/demo/message-lines.ts';
import { createThreadPrinter, type PrintedMessage } from '../../../../src/sandbox/demo/thread-printer.ts';

const nameOf = (id: string) => (id === 'U1' ? 'alice' : 'steward');
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const button = (text: string) => ({ type: 'button', text: { type: 'plain_text', text } });
const details = {
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'by Venue Desk' }] }],
};

function printed(...states: PrintedMessage[][]): string[] {
  const lines: string[] = [];
  const printer = createThreadPrinter({ write: (line) => lines.push(line), nameOf, elapsedMs: () => 1_500 });
  for (const state of states) printer.show(state);
  return lines;
}

const message = (...blocks: object[]): PrintedMessage => ({ ts: '1.1', userId: 'U2', text: 'summary', blocks });

test('a message is drawn as lines, whatever its blocks', () => {
  const plan = {
    type: 'plan',
    title: '1 of 2 tasks',
    tasks: [
      { type: 'task_card', title: 'Find venues', status: 'complete', details },
      { type: 'task_card', title: 'Compare', status: 'in_progress' },
    ],
  };
  const blocks = [
    section('*Working*\nfor <@U1> &amp; others'),
    plan,
    { type: 'divider' },
    { type: 'context', elements: [{ type: 'mrkdwn', text: 'run `1234`' }] },
    { type: 'actions', elements: [button('Stop'), button('Answer…')] },
    { type: 'markdown', text: '| a |\n\nb' },
  ];
  expect(messageLines({ text: 'summary', blocks }, nameOf)).toEqual([
    'Working',
    'for @alice & others',
    '✓ Find venues – by Venue Desk',
    '▸ Compare',
    'run `1234`',
    '[Stop] [Answer…]',
    '| a |',
    '',
    'b',
  ]);
});

test('the facts, pictures and small print of a card are drawn too', () => {
  const plain = (text: string) => ({ type: 'plain_text', text });
  const blocks = [
    { type: 'header', text: plain('Venues') },
    { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'A hall' },
    {
      type: 'section',
      fields: [
        { type: 'mrkdwn', text: '*Payee*' },
        plain('Venue Desk'),
        { type: 'mrkdwn', text: '*Amount*' },
        plain('2 USD'),
      ],
    },
    { ...section('Beside it'), accessory: button('Open') },
    {
      type: 'context',
      elements: [
        { type: 'image', image_url: 'https://example.com/b.png', alt_text: 'An icon' },
        { type: 'mrkdwn', text: 'Only <@U1>\nmay' },
      ],
    },
  ];
  expect(messageLines({ text: 'summary', blocks }, nameOf)).toEqual([
    'Venues',
    '(image: A hall)',
    'Payee: Venue Desk',
    'Amount: 2 USD',
    'Beside it',
    '[Open]',
    '(image: An icon) Only @alice',
    'may',
  ]);
});

const option = (text: string, value = text) => ({ text: { type: 'plain_text', text }, value });
const input = (label: string, element: object, more: object = {}) => ({
  type: 'input',
  block_id: label,
  label: { type: 'plain_text', text: label },
  element,
  ...more,
});
const MODAL = {
  title: { type: 'plain_text', text: 'Approve a payment' },
  submit: { type: 'plain_text', text: 'Approve' },
  blocks: [
    section('The terms, which stand on the card as well'),
    input('Pay which way?', { type: 'radio_buttons', options: [option('2 USD', '0'), option('8 FET', '1')] }),
    input('Seat', {
      type: 'static_select',
      option_groups: [{ options: ['a', 'b', 'c', 'd', 'e', 'f'].map((o) => option(o)) }],
    }),
    input('Dishes', { type: 'checkboxes', options: [option('Fish', '0')] }),
    input('Bags', { type: 'number_input' }),
    input('E-mail', { type: 'email_text_input' }),
    input('Name', { type: 'plain_text_input' }),
    input('Reason', { type: 'plain_text_input' }, { optional: true }),
  ],
};

test('a modal is drawn by its inputs, one line each', () => {
  expect(modalLines(MODAL)).toEqual([
    'a window opens: Approve a payment',
    'Pay which way?: ( ) 2 USD  ( ) 8 FET',
    'Seat: ( ) a  ( ) b  ( ) c  ( ) d  ( ) e  and 1 more',
    'Dishes: ( ) Fish',
    'Bags: ____',
    'E-mail: ____',
    'Name: ____',
    'Reason (optional): ____',
    '[Approve]',
  ]);
});

test('a modal is filled in where it must be, with what fits', () => {
  expect(fillModal(MODAL)).toEqual({
    'Pay which way?': '0',
    Seat: 'a',
    Dishes: ['0'],
    Bags: '2',
    'E-mail': 'alice@example.com',
    Name: 'Whatever you think is best',
  });
});

test('a message without blocks is drawn as its text and files', () => {
  expect(messageLines({ text: 'one\ntwo', blocks: [], files: [{ name: 'a.md' }] }, nameOf)).toEqual([
    'one',
    'two',
    '(file a.md)',
  ]);
});

test('an edit prints its new lines only', () => {
  expect(printed([message(section('a\nb'))], [message(section('a\nc'))])).toEqual([
    '   1.5s steward   a',
    '                  b',
    '   1.5s   edit    c',
  ]);
});

test('a new message stands apart from what is above it', () => {
  const first = message(section('a'));
  expect(printed([first, { ...first, ts: '1.2', userId: 'U1' }])).toEqual([
    '   1.5s steward   a',
    '',
    '   1.5s alice     a',
  ]);
});

test('an edit that only moves the elapsed time prints nothing', () => {
  expect(printed([message(section('Working · 9 s'))], [message(section('Working · 1 min 02 s'))])).toHaveLength(1);
});

test('what is shown again unchanged prints nothing', () => {
  expect(printed([message(section('a'))], [message(section('a'))])).toHaveLength(1);
});

test.each([
  [[], { once: false, request: null }],
  [['--once'], { once: true, request: null }],
  [['--once', 'some request'], { once: true, request: 'some request' }],
  [['some', 'request'], { once: false, request: 'some request' }],
])('the arguments %j are read', (argv, read) => {
  expect(readArguments(argv)).toEqual(read);
});

test('what is wrong with an argument is said in a sentence', () => {
  expect(() => readArguments(['--twice'])).toThrow(/^Unknown option '--twice'$/);
});

test.each([[['--twice']], [['--once', ' ']]])('the arguments %j are refused', (argv) => {
  expect(() => readArguments(argv)).toThrow(UsageError);
});
