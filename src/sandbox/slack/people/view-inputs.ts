import { isJson, type Json } from '../json.ts';
import { ImpossibleAction } from '../refusal.ts';
import type { SandboxView } from '../views.ts';
import { type FoundElement, findElements, labelOf } from './elements.ts';
import { filledState, type InputValue, initialState, isFilled, stateValues } from './input-state.ts';

/** What people typed into modals, kept while a modal is on the screen, as Slack's client does. */
export type ViewInputs = {
  /** Puts one value in; its new state. */
  fill(view: SandboxView, found: FoundElement, value: InputValue): Json;
  /** Puts values in by action id, block id or label; unless `isChecked`, whatever they are. */
  fillAll(view: SandboxView, values: Record<string, InputValue>, isChecked: boolean): void;
  /** Refuses when a required input is empty, as Slack's client does before it submits. */
  checkRequired(view: SandboxView): void;
  /** `state.values` of the view. */
  values(view: SandboxView): Json;
};

export function blocksOf(view: SandboxView): Json[] {
  const { blocks } = view.view;
  return Array.isArray(blocks) ? blocks.filter(isJson) : [];
}

const keyOf = ({ blockId, element }: FoundElement): string => `${blockId}/${String(element.action_id)}`;

function matches(found: FoundElement, key: string): boolean {
  return found.element.action_id === key || found.blockId === key || labelOf(found) === key;
}

export function createViewInputs(): ViewInputs {
  const typed = new Map<string, Map<string, Json>>();

  /** Only what was typed into an element of the same kind stays when the app replaces the view. */
  const kept = (view: SandboxView): Map<string, Json> => {
    const states = typed.get(view.id) ?? new Map<string, Json>();
    const elements = new Map(findElements(blocksOf(view)).map((found) => [keyOf(found), found.element.type]));
    return new Map([...states].filter(([key, state]) => elements.get(key) === state.type));
  };

  const fill = (view: SandboxView, found: FoundElement, value: InputValue, isChecked = true): Json => {
    const state = filledState(found.element, value, isChecked);
    const states = typed.get(view.id) ?? new Map<string, Json>();
    typed.set(view.id, states.set(keyOf(found), state));
    return state;
  };

  return {
    fill: (view, found, value) => fill(view, found, value),
    fillAll(view, values, isChecked) {
      const elements = findElements(blocksOf(view));
      for (const [key, value] of Object.entries(values)) {
        const found = elements.find((candidate) => matches(candidate, key));
        if (found === undefined) throw new ImpossibleAction(`The view has no input "${key}"`);
        fill(view, found, value, isChecked);
      }
    },
    checkRequired(view) {
      const states = kept(view);
      for (const found of findElements(blocksOf(view))) {
        if (found.block.type !== 'input' || found.block.optional === true) continue;
        const state = states.get(keyOf(found)) ?? initialState(found.element);
        if (state === null || !isFilled(state)) {
          throw new ImpossibleAction(`The required input ${found.blockId} is empty`);
        }
      }
    },
    values: (view) => stateValues(findElements(blocksOf(view)), kept(view)),
  };
}
