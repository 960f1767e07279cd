import { LIMITS } from '../../../src/presenter/limits.ts';

/**
 * A strict reading of Slack's rules, written against the documented limits and not against the presenter: every text
 * field by its own bound, no empty text, unique ids, no unknown block. Returns what Slack would refuse.
 */
export function slackProblems(content: { text: string; blocks: readonly object[] }): string[] {
  const problems: string[] = [];
  if (content.text === '' || content.text.length > LIMITS.message.text) problems.push('text length');
  if (content.blocks.length === 0 || content.blocks.length > LIMITS.message.blocks) problems.push('block count');
  let markdown = 0;
  for (const block of content.blocks) {
    problems.push(...blockProblems(block));
    if (read(block, 'type') === 'markdown') markdown += String(read(block, 'text')).length;
  }
  if (markdown > LIMITS.markdown) problems.push('markdown too long');
  return problems;
}

export function modalProblems(view: object): string[] {
  const blocks = list(read(view, 'blocks'));
  return [
    ...textProblem(read(view, 'title'), LIMITS.modal.title, 'modal title'),
    ...textProblem(read(view, 'close'), LIMITS.modal.button, 'modal close'),
    ...(read(view, 'submit') === undefined ? [] : textProblem(read(view, 'submit'), LIMITS.modal.button, 'submit')),
    ...(blocks.length === 0 || blocks.length > LIMITS.modal.blocks ? ['modal blocks'] : []),
    ...(String(read(view, 'private_metadata') ?? '').length > LIMITS.modal.privateMetadata ? ['metadata'] : []),
    ...(Buffer.byteLength(JSON.stringify(view)) > LIMITS.modal.bytes ? ['view too large'] : []),
    ...blocks.flatMap(blockProblems),
  ];
}

function blockProblems(block: unknown): string[] {
  switch (read(block, 'type')) {
    case 'section':
      return textProblem(read(block, 'text'), LIMITS.section, 'section');
    case 'context': {
      const elements = list(read(block, 'elements'));
      const count = elements.length >= 1 && elements.length <= LIMITS.context.elements ? [] : ['context elements'];
      return [...count, ...elements.flatMap((one) => textProblem(one, LIMITS.context.text, 'context'))];
    }
    case 'actions': {
      const elements = list(read(block, 'elements'));
      const ids = elements.map((one) => read(one, 'action_id'));
      return [
        ...(elements.length >= 1 && elements.length <= LIMITS.actions ? [] : ['actions count']),
        ...(new Set(ids).size === ids.length ? [] : ['action_id not unique']),
        ...elements.flatMap(elementProblems),
      ];
    }
    case 'markdown':
      return String(read(block, 'text')).trim() === '' ? ['empty markdown'] : [];
    case 'plan':
      return planProblems(block);
    case 'input':
      return textProblem(read(block, 'label'), LIMITS.input.label, 'label');
    default:
      return [`unknown block ${String(read(block, 'type'))}`];
  }
}

function planProblems(block: unknown): string[] {
  const tasks = list(read(block, 'tasks'));
  const ids = tasks.map((task) => read(task, 'task_id'));
  return [
    ...lengthProblem(read(block, 'title'), LIMITS.plan.title, 'plan title'),
    ...(tasks.length >= 1 && tasks.length <= LIMITS.plan.tasks ? [] : ['plan tasks']),
    ...(new Set(ids).size === ids.length ? [] : ['task_id not unique']),
    ...tasks.flatMap((task) => [
      ...lengthProblem(read(task, 'task_id'), LIMITS.task.id, 'task_id'),
      ...lengthProblem(read(task, 'title'), LIMITS.task.title, 'task title'),
      ...(['pending', 'in_progress', 'complete', 'error'].includes(String(read(task, 'status'))) ? [] : ['status']),
      ...(read(task, 'details') === undefined ? [] : detailsProblems(read(task, 'details'))),
    ]),
  ];
}

function detailsProblems(details: unknown): string[] {
  const text = read(read(list(read(details, 'elements'))[0], 'elements'), '0');
  return read(details, 'type') === 'rich_text'
    ? lengthProblem(read(text, 'text'), LIMITS.task.details, 'details')
    : ['details'];
}

function elementProblems(element: unknown): string[] {
  if (read(element, 'type') === 'button') {
    return [
      ...textProblem(read(element, 'text'), LIMITS.button.text, 'button text'),
      ...lengthProblem(read(element, 'value'), LIMITS.button.value, 'button value'),
      ...lengthProblem(read(element, 'action_id'), LIMITS.button.actionId, 'action_id'),
    ];
  }
  if (read(element, 'type') !== 'static_select') return ['unknown element'];
  const options = list(read(element, 'options'));
  return [
    ...textProblem(read(element, 'placeholder'), LIMITS.select.placeholder, 'placeholder'),
    ...(options.length >= 1 && options.length <= LIMITS.select.options ? [] : ['select options']),
    ...options.flatMap((option) => [
      ...textProblem(read(option, 'text'), LIMITS.select.optionText, 'option text'),
      ...lengthProblem(read(option, 'value'), LIMITS.select.optionValue, 'option value'),
    ]),
  ];
}

function textProblem(object: unknown, max: number, name: string): string[] {
  const isText = ['mrkdwn', 'plain_text'].includes(String(read(object, 'type')));
  return isText ? lengthProblem(read(object, 'text'), max, name) : [`${name}: not a text object`];
}

function lengthProblem(text: unknown, max: number, name: string): string[] {
  if (typeof text !== 'string' || text.trim() === '') return [`${name}: empty`];
  if (/\p{Cs}/u.test(text)) return [`${name}: half a character`];
  return text.length > max ? [`${name}: ${text.length} > ${max}`] : [];
}

/** Every string of a message, in order. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

export function elementsOf(content: { blocks: readonly object[] }): Record<string, unknown>[] {
  return content.blocks.flatMap((block) =>
    read(block, 'type') === 'actions' ? list(read(block, 'elements')).filter(isRecord) : [],
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function read(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
