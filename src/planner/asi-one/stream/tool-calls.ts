import { z } from 'zod';
import type { ToolCall } from '../../../domain/turn.ts';
import { PLANNER_LIMITS } from '../limits.ts';
import { isRecord } from '../values/json-record.ts';

const nonEmpty = z.string().min(1).nullable().catch(null);

const fragmentSchema = z.object({
  index: z.number().nullable().catch(null),
  id: nonEmpty,
  function: z.object({ name: nonEmpty, arguments: z.unknown().optional() }).catch({ name: null, arguments: undefined }),
});

type Fragment = { index: number | null; id: string | null; name: string | null; arguments: string };

type PartialCall = Omit<Fragment, 'arguments'> & { parts: string[] };

/**
 * Assembles the tool calls of one leg, from fragments by index or id, from whole calls in a delta, or from a finished
 * message. Records of tools that the planner ran itself (`tool_name`, `result`) are no calls.
 */
interface ToolCallAssembler {
  addFragments(items: readonly unknown[]): void;
  /** Takes a finished message's calls in place of all fragments so far, if it has any. */
  replaceBy(items: readonly unknown[]): void;
  /** The calls that have a name, in their order. */
  calls(): ToolCall[];
}

export function createToolCallAssembler(): ToolCallAssembler {
  let calls: PartialCall[] = [];
  const add = (fragment: Fragment): void => {
    const call = findCall(calls, fragment);
    if (call === undefined && calls.length < PLANNER_LIMITS.toolCalls) calls.push(startCall(fragment));
    else if (call !== undefined) extendCall(call, fragment);
  };
  return {
    addFragments: (items) => readFragments(items).forEach(add),
    replaceBy(items) {
      const fragments = readFragments(items);
      if (fragments.length === 0) return;
      calls = [];
      fragments.forEach(add);
    },
    calls: () => calls.flatMap(toToolCall),
  };
}

function readFragments(items: readonly unknown[]): Fragment[] {
  return items.slice(0, PLANNER_LIMITS.toolCalls).flatMap((item) => {
    if (!isRecord(item) || Object.hasOwn(item, 'tool_name') || Object.hasOwn(item, 'result')) return [];
    const { index, id, function: called } = fragmentSchema.parse(item);
    return [{ index, id, name: called.name, arguments: readArguments(called.arguments) }];
  });
}

/** Arguments come as JSON text or as the object itself. */
function readArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return '';
  try {
    return JSON.stringify(value);
  } catch {
    // Nested too deeply to be written down again: no tool could take it.
    return '';
  }
}

function findCall(calls: readonly PartialCall[], fragment: Fragment): PartialCall | undefined {
  if (fragment.id !== null) {
    const sameId = calls.find((call) => call.id === fragment.id);
    if (sameId !== undefined) return sameId;
  }
  if (fragment.index === null) return fragment.id === null && fragment.name === null ? calls.at(-1) : undefined;
  // Two whole calls may carry the same index; their ids tell them apart.
  return calls.findLast(
    (call) => call.index === fragment.index && (call.id === null || fragment.id === null || call.id === fragment.id),
  );
}

function startCall({ index, id, name, arguments: text }: Fragment): PartialCall {
  return { index, id, name, parts: [text] };
}

function extendCall(call: PartialCall, fragment: Fragment): void {
  const isRepeat = fragment.id !== null && fragment.arguments === call.parts.join('');
  call.id ??= fragment.id;
  call.name ??= fragment.name;
  if (!isRepeat) call.parts.push(fragment.arguments);
}

function toToolCall(call: PartialCall, position: number): ToolCall[] {
  if (call.name === null) return [];
  return [{ id: call.id ?? `call_${position}`, name: call.name, arguments: call.parts.join('') }];
}
