import { ANSWER_WORDS, type Answer } from './answers/reading.ts';
import { isObject, type JsonObject } from './json.ts';

/** What `generators.ts` can make. */
const GENERATOR_NAMES = [
  ...(['plan-500-tasks', 'plan-10000-tasks', 'fields-40000', 'depth-200'] as const),
  ...(['event-5mb', 'answer-long', 'answer-sql'] as const),
  ...(['payment-hostile', 'card-120-choices', 'card-70-kb'] as const),
];

export type GeneratorName = (typeof GENERATOR_NAMES)[number];

/**
 * What an answer must be like; all that is named must hold. `says`: approve, decline, choice, cancel or words; `option`:
 * the place of the approved funds, from 0; `selection`: these entries of a card's selection; `answer`: its exact words.
 */
export type When = { says?: Answer['says']; option?: number; selection?: JsonObject; answer?: string };

/**
 * One thing that the scripted planner does while it answers a request.
 *
 * - `event`: one `data:` line with this JSON, untouched.
 * - `text`: the answer's text (lines may be given as a list); in `pieces` deltas, `everyMs` apart.
 * - `plan`: a `plan_state` chunk with these fields.
 * - `raw`: these bytes, without framing. `comment`: an SSE comment line.
 * - `splitEvery`: from here on, at most so many bytes per write (also inside a UTF-8 character); 0 ends it.
 * - `lineEnd`: from here on, what ends a line of the stream.
 * - `finish`: a chunk with this finish reason. `done`: `[DONE]`, after which the session is free.
 * - `cut`: `destroy` breaks the connection, `end` ends it cleanly, `before-headers` breaks it with no byte sent. The
 *   plan is lost.
 * - `status`: an HTTP answer instead of a stream; before any byte.
 * - `hold`: waits for `planner.release(name)`. `waitMs`: waits.
 * - `repeat`: steps done `times` times, `{{n}}` counting from 0. `generate`: steps made by code, for huge or hostile input.
 */
export type PlainStep =
  | { event: unknown }
  | { text: string | string[]; pieces?: number; everyMs?: number }
  | { plan: JsonObject }
  | { raw: string }
  | { comment: string }
  | { splitEvery: number }
  | { lineEnd: '\n' | '\r\n' | '\r' }
  | { finish: string }
  | { done: true }
  | { cut: 'destroy' | 'end' | 'before-headers' }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | { hold: string }
  | { waitMs: number }
  | { repeat: { times: number; steps: PlainStep[] } }
  | { generate: GeneratorName };

/** A step, or steps that play only after a certain answer (`otherwise` after any other); not inside `repeat`. */
export type Step = PlainStep | { when: When; steps: Step[]; otherwise?: Step[] };

/** What the planner does for one request. */
export type Leg = Step[];

/**
 * A script. The first leg plays when a plan starts; a leg that ends in order with another one behind it is a pause,
 * unless it called the plan completed, failed or cancelled, and the next leg plays on its resume. After a refusal (`status`) or a `cut`, the next request of the session gets the
 * next leg, if there is one.
 */
export type Scenario = { about: string; legs: Leg[] };

/** A scenario that cannot be played. The message names the place and what is wrong. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

type Check = (value: unknown) => string | null;

const text: Check = (value) => (typeof value === 'string' ? null : 'must be a string');
const count: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? null : 'must be a whole number, 0 or more';
const anything: Check = () => null;
const object: Check = (value) => (isObject(value) ? null : 'must be an object');
const oneOf =
  (...words: unknown[]): Check =>
  (value) =>
    words.includes(value) ? null : `must be one of ${words.map((word) => JSON.stringify(word)).join(', ')}`;
const condition: Check = (value) => {
  if (!isObject(value)) return 'must be an object';
  for (const [key, field] of Object.entries(value)) {
    const check = WHEN_SHAPE[key];
    const fault = check ? check(field) : 'is not known';
    if (fault) return `holds "${key}", which ${fault}`;
  }
  return null;
};
const textOrLines: Check = (value) =>
  typeof value === 'string' || (Array.isArray(value) && value.every((line) => typeof line === 'string'))
    ? null
    : 'must be a string or a list of strings';
const httpStatus: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 200 && Number(value) <= 599
    ? null
    : 'must be an HTTP status, 200 to 599';

const WHEN_SHAPE: Record<string, Check> = {
  says: oneOf(...ANSWER_WORDS),
  option: count,
  selection: object,
  answer: text,
};

/** For each kind of step, what its own key and its further keys must hold. */
const STEP_SHAPES: Record<string, { own: Check; more?: Record<string, Check> }> = {
  event: { own: anything },
  text: { own: textOrLines, more: { pieces: count, everyMs: count } },
  plan: { own: object },
  raw: { own: text },
  comment: { own: text },
  splitEvery: { own: count },
  lineEnd: { own: oneOf('\n', '\r\n', '\r') },
  finish: { own: text },
  done: { own: oneOf(true) },
  cut: { own: oneOf('destroy', 'end', 'before-headers') },
  status: { own: httpStatus, more: { headers: object, body: anything } },
  hold: { own: text },
  waitMs: { own: count },
  repeat: { own: object },
  generate: { own: oneOf(...GENERATOR_NAMES) },
  when: { own: condition, more: { steps: anything, otherwise: anything } },
};

/** Reads a scenario from JSON. Throws a `ScenarioError` that names the place of the first fault. */
export function parseScenario(value: unknown, name: string): Scenario {
  if (!isObject(value)) throw new ScenarioError(`Scenario ${name}: must be an object with "about" and "legs"`);
  const { about, legs, ...rest } = value;
  if (typeof about !== 'string') throw new ScenarioError(`Scenario ${name}: "about" must say what it does`);
  if (Object.keys(rest).length > 0)
    throw new ScenarioError(`Scenario ${name}: unknown key "${Object.keys(rest).join('", "')}"`);
  if (!Array.isArray(legs) || legs.length === 0)
    throw new ScenarioError(`Scenario ${name}: "legs" must be a list of lists of steps`);
  return { about, legs: legs.map((leg, index) => parseLeg(leg, `Scenario ${name}, leg ${index}`)) };
}

function parseLeg(value: unknown, where: string): Leg {
  const steps = parseSteps(value, where);
  checkOrder(steps, where);
  return steps;
}

/** What answers instead of a stream must come before any byte, whichever branches play. */
function checkOrder(steps: Step[], where: string, before: Step[] = []): void {
  steps.forEach((step, index) => {
    const earlier = [...before, ...steps.slice(0, index)];
    const place = `${where}, step ${index}`;
    if (isBeforeBytes(step) && !earlier.every(isSilent))
      throw new ScenarioError(`${place}: must come before any byte of the stream`);
    if (!('when' in step)) return;
    checkOrder(step.steps, `${place}, steps`, earlier);
    checkOrder(step.otherwise ?? [], `${place}, otherwise`, earlier);
  });
}

function isSilent(step: Step): boolean {
  return 'waitMs' in step || 'hold' in step;
}

/** True for a step that answers instead of a stream. */
export function isBeforeBytes(step: Step): boolean {
  return 'status' in step || ('cut' in step && step.cut === 'before-headers');
}

function parseSteps(value: unknown, where: string): Step[] {
  if (!Array.isArray(value)) throw new ScenarioError(`${where}: must be a list of steps`);
  return value.map((step, index) => parseStep(step, `${where}, step ${index}`));
}

function parseStep(value: unknown, where: string): Step {
  if (!isObject(value)) throw new ScenarioError(`${where}: must be an object`);
  const kind = Object.keys(value).find((key) => Object.hasOwn(STEP_SHAPES, key));
  const shape = kind === undefined ? undefined : STEP_SHAPES[kind];
  if (kind === undefined || !shape)
    throw new ScenarioError(`${where}: has none of the keys ${Object.keys(STEP_SHAPES).join(', ')}`);
  for (const [key, field] of Object.entries(value)) {
    const check = key === kind ? shape.own : shape.more?.[key];
    const fault = check ? check(field) : 'is not a key of this step';
    if (fault) throw new ScenarioError(`${where}: "${key}" ${fault}`);
  }
  if (isObject(value.repeat)) return { repeat: parseRepeat(value.repeat, where) };
  if (isObject(value.when)) return parseWhen(value, value.when, where);
  // Every key and value was checked against the table above.
  return value as Step;
}

function parseRepeat(repeat: JsonObject, where: string): { times: number; steps: PlainStep[] } {
  const fault = count(repeat.times);
  if (fault) throw new ScenarioError(`${where}: "repeat.times" ${fault}`);
  const steps = parseSteps(repeat.steps, `${where}, repeat.steps`).map((step, index) => {
    if ('when' in step) throw new ScenarioError(`${where}, repeat.steps, step ${index}: "when" cannot be repeated`);
    return step;
  });
  return { times: Number(repeat.times), steps };
}

function parseWhen({ steps, otherwise }: JsonObject, when: When, where: string): Step {
  const parsed = { when, steps: parseSteps(steps, `${where}, steps`) };
  return otherwise === undefined ? parsed : { ...parsed, otherwise: parseSteps(otherwise, `${where}, otherwise`) };
}
