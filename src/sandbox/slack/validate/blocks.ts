import { isJson, type Json } from '../json.ts';
import { checkText } from './composition.ts';
import { checkElement, checkImageElement } from './elements.ts';
import { below, checkKeys, checkList, checkString, checkUnique, checkWord, report, type Spot } from './report.ts';
import { checkRichText } from './rich-text.ts';
import { checkDataTable, checkTable } from './tables.ts';

export type Surface = 'message' | 'modal';

type BlockRule = { keys: readonly string[]; surfaces?: readonly Surface[]; check: (block: Json, spot: Spot) => void };

function checkSection(block: Json, spot: Spot): void {
  if (block.text === undefined && block.fields === undefined) report(spot, 'needs text or fields');
  checkText(block.text, below(spot, 'text'), { max: 3_000, required: false });
  if (block.fields !== undefined) {
    checkList(block.fields, below(spot, 'fields'), { max: 10 }).forEach((field, index) => {
      checkText(field, below(spot, 'fields', index), { max: 2_000 });
    });
  }
  if (block.accessory !== undefined) checkElement(block.accessory, below(spot, 'accessory'), 'accessory');
}

function checkContext(block: Json, spot: Spot): void {
  checkList(block.elements, below(spot, 'elements'), { max: 10 }).forEach((element, index) => {
    const at = below(spot, 'elements', index);
    if (element.type === 'image') checkImageElement(element, at);
    else checkText(element, at, { max: 3_000 });
  });
}

function elementsRule(place: 'actions' | 'contextActions', max: number): BlockRule['check'] {
  return (block, spot) => {
    const elements = checkList(block.elements, below(spot, 'elements'), { max });
    elements.forEach((element, index) => {
      checkElement(element, below(spot, 'elements', index), place);
    });
    const ids = elements.map((element) => element.action_id);
    checkUnique(ids, below(spot, 'elements'), 'action_id');
  };
}

function checkInput(block: Json, spot: Spot): void {
  checkText(block.label, below(spot, 'label'), { max: 2_000, plain: true });
  checkText(block.hint, below(spot, 'hint'), { max: 2_000, plain: true, required: false });
  checkElement(block.element, below(spot, 'element'), 'input');
}

function checkImageBlock(block: Json, spot: Spot): void {
  const { type, image_url, slack_file, alt_text } = block;
  const fields = Object.entries({ type, image_url, slack_file, alt_text }).filter(([, value]) => value !== undefined);
  checkImageElement(Object.fromEntries(fields), spot);
  checkText(block.title, below(spot, 'title'), { max: 2_000, plain: true, required: false });
}

const TASK_STATUSES = ['pending', 'in_progress', 'complete', 'error'];

function checkTask(task: Json, spot: Spot): void {
  if (task.type !== 'task_card') report(below(spot, 'type'), 'must be task_card');
  checkKeys(task, spot, ['type', 'block_id', 'task_id', 'title', 'status', 'details', 'output', 'sources']);
  checkString(task.task_id, below(spot, 'task_id'), { required: true });
  checkString(task.title, below(spot, 'title'), { required: true });
  checkWord(task.status ?? null, below(spot, 'status'), TASK_STATUSES);
  if (task.details !== undefined) checkRichText(task.details, below(spot, 'details'));
  if (task.output !== undefined) checkRichText(task.output, below(spot, 'output'));
  if (task.sources === undefined) return;
  checkList(task.sources, below(spot, 'sources'), { min: 0, max: 100 }).forEach((source, index) => {
    const at = below(spot, 'sources', index);
    checkKeys(source, at, ['type', 'url', 'text']);
    checkWord(source.type ?? null, below(at, 'type'), ['url']);
    checkString(source.url, below(at, 'url'), { required: true });
    checkString(source.text, below(at, 'text'), { required: true });
  });
}

function checkPlan(block: Json, spot: Spot): void {
  checkString(block.title, below(spot, 'title'), { required: true });
  const tasks = checkList(block.tasks, below(spot, 'tasks'), { max: 50 });
  tasks.forEach((task, index) => {
    checkTask(task, below(spot, 'tasks', index));
  });
  const ids = tasks.map((task) => task.task_id);
  checkUnique(ids, below(spot, 'tasks'), 'task_id');
}

function checkCard(block: Json, spot: Spot): void {
  if (['hero_image', 'title', 'actions', 'body'].every((field) => block[field] === undefined)) {
    report(spot, 'needs hero_image, title, actions or body');
  }
  checkText(block.title, below(spot, 'title'), { max: 150, required: false });
  checkText(block.subtitle, below(spot, 'subtitle'), { max: 150, required: false });
  checkText(block.body, below(spot, 'body'), { max: 200, required: false });
  for (const field of ['hero_image', 'icon']) {
    const image = block[field];
    if (isJson(image)) checkImageElement(image, below(spot, field));
  }
  if (block.actions === undefined) return;
  checkList(block.actions, below(spot, 'actions'), { max: 25 }).forEach((button, index) => {
    checkElement(button, below(spot, 'actions', index), 'card');
  });
}

const CONTAINER_CHILDREN = 'actions context divider file header image input rich_text section table video'.split(' ');

function checkContainer(block: Json, spot: Spot): void {
  checkText(block.title, below(spot, 'title'), { max: 150, plain: true, required: false });
  if (block.rich_text_title !== undefined) checkRichText(block.rich_text_title, below(spot, 'rich_text_title'));
  checkText(block.subtitle, below(spot, 'subtitle'), { max: 150, required: false });
  checkList(block.child_blocks, below(spot, 'child_blocks'), { max: 10 }).forEach((child, index) => {
    const at = below(spot, 'child_blocks', index);
    if (CONTAINER_CHILDREN.includes(String(child.type))) checkBlock(child, at, 'message');
    else report(at, `unsupported type: ${String(child.type)}`);
  });
}

const CARD_KEYS = ['hero_image', 'icon', 'title', 'subtitle', 'body', 'actions'];
const CONTAINER_KEYS = ['title', 'rich_text_title', 'subtitle', 'child_blocks', 'width', 'icon', 'is_collapsible'];

/** Every block that Slack knows in autumn 2026, with where it may stand (slack.md 1.2, 1.3, 3.3). */
const RULES: Record<string, BlockRule> = {
  section: { keys: ['text', 'fields', 'accessory', 'expand'], check: checkSection },
  divider: { keys: [], check: () => {} },
  header: {
    keys: ['text'],
    check: (block, spot) => checkText(block.text, below(spot, 'text'), { max: 150, plain: true }),
  },
  context: { keys: ['elements'], check: checkContext },
  actions: { keys: ['elements'], check: elementsRule('actions', 25) },
  context_actions: { keys: ['elements'], surfaces: ['message'], check: elementsRule('contextActions', 5) },
  input: { keys: ['label', 'hint', 'optional', 'element', 'dispatch_action'], check: checkInput },
  image: { keys: ['image_url', 'slack_file', 'alt_text', 'title'], check: checkImageBlock },
  markdown: {
    keys: ['text'],
    surfaces: ['message'],
    check: (block, spot) => checkString(block.text, below(spot, 'text'), { required: true }),
  },
  rich_text: { keys: ['elements'], check: checkRichText },
  plan: { keys: ['title', 'tasks'], surfaces: ['message'], check: checkPlan },
  task_card: {
    keys: ['task_id', 'title', 'status', 'details', 'output', 'sources'],
    surfaces: ['message'],
    check: checkTask,
  },
  card: { keys: CARD_KEYS, surfaces: ['message'], check: checkCard },
  carousel: {
    keys: ['elements'],
    surfaces: ['message'],
    check: (block, spot) =>
      checkList(block.elements, below(spot, 'elements'), { max: 10 }).forEach((card, index) => {
        const at = below(spot, 'elements', index);
        if (card.type !== 'card') report(below(at, 'type'), 'must be card');
        checkKeys(card, at, ['type', 'block_id', ...CARD_KEYS]);
        checkCard(card, at);
      }),
  },
  container: {
    keys: [...CONTAINER_KEYS, 'default_collapsed', 'has_header_divider'],
    surfaces: ['message'],
    check: checkContainer,
  },
  alert: {
    keys: ['text', 'level'],
    surfaces: ['modal'],
    check(block, spot) {
      checkText(block.text, below(spot, 'text'), { max: 200 });
      checkWord(block.level, below(spot, 'level'), ['default', 'info', 'warning', 'error', 'success']);
    },
  },
  table: { keys: ['rows', 'column_settings'], surfaces: ['message'], check: checkTable },
  data_table: {
    keys: ['rows', 'caption', 'page_size', 'row_header_column_index'],
    surfaces: ['message'],
    check: checkDataTable,
  },
};

/** Checks one block on a surface. */
export function checkBlock(block: Json, spot: Spot, surface: Surface): void {
  const type = String(block.type);
  const rule = RULES[type];
  if (rule === undefined || !(rule.surfaces ?? [surface]).includes(surface)) {
    report(below(spot, 'type'), `unsupported type: ${type}`);
    return;
  }
  checkKeys(block, spot, ['type', 'block_id', ...rule.keys]);
  checkString(block.block_id, below(spot, 'block_id'), { max: 255 });
  rule.check(block, spot);
}
