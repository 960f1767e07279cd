import { CARD_ACTIONS, CARD_CHOICE_PATTERN } from './interaction/interaction-ids.ts';
import { PAYMENT_ACTIONS, PAYMENT_LINK_PATTERN } from './payment/payment-ids.ts';

/** `action_id`s of the bot's buttons and menus. Run buttons carry the run's id as value, answer buttons the pause's. */
export const ACTION_IDS = {
  stopRun: 'stop_run',
  resumeRun: 'resume_run',
  startOverRun: 'start_over_run',
  closeRun: 'close_run',
  openAnswer: 'answer_open',
  /** The menu that takes the place of option buttons where there are many. */
  selectAnswer: 'answer_select',
} as const;

/** Matches the `action_id` of every option button. */
export const OPTION_ACTION_PATTERN = /^answer_option_(\d{1,5})$/;

/** Ids of the answer modal and its one input. */
export const ANSWER_MODAL = { callbackId: 'answer_modal', blockId: 'answer_block', inputId: 'answer_input' } as const;

/** The `action_id` of the button for the option at `index`, from 0. */
export function optionActionId(index: number): string {
  return `answer_option_${index}`;
}

/** The option index of an option button's `action_id`, or null when it is another action. */
export function parseOptionActionId(actionId: string): number | null {
  const match = OPTION_ACTION_PATTERN.exec(actionId);
  return match ? Number(match[1]) : null;
}

/** The value of a menu's entry: a menu has no value of its own that could carry the pause's id. */
export function selectOptionValue(pauseId: string, index: number): string {
  return `${pauseId}#${index}`;
}

/** Reads `selectOptionValue` back; null when it is not one. */
export function parseSelectOptionValue(value: string): { pauseId: string; optionIndex: number } | null {
  const match = /^(.+)#(\d{1,5})$/.exec(value);
  return match?.[1] ? { pauseId: match[1], optionIndex: Number(match[2]) } : null;
}

const STATIC_IDS: ReadonlySet<string> = new Set([
  ...Object.values(ACTION_IDS),
  ...Object.values(PAYMENT_ACTIONS),
  ...Object.values(CARD_ACTIONS),
]);
const PATTERNS = [OPTION_ACTION_PATTERN, CARD_CHOICE_PATTERN, PAYMENT_LINK_PATTERN] as const;

/** Whether an `action_id` is one of this version's: of a run's buttons, a clarification's, a payment's or a card's. */
export function isKnownAction(actionId: string): boolean {
  return STATIC_IDS.has(actionId) || PATTERNS.some((pattern) => pattern.test(actionId));
}
