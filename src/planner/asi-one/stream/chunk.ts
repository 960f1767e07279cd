import { z } from 'zod';
import { readParts } from '../values/field-reader.ts';
import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { readJson } from '../values/json-text.ts';

/** Missing fields are usual, so they are allowed for; `catch` is for fields of another type. */
const messageSchema = z.object({
  content: z.unknown().optional(),
  tool_calls: z.array(z.unknown()).nullish().catch(null),
});

/** `delta.message` has been met where `delta` alone was expected. */
const deltaSchema = messageSchema.extend({ message: messageSchema.nullish().catch(null) });

const choiceSchema = z.object({
  index: z.number().nullish().catch(null),
  finish_reason: z.string().nullish().catch(null),
  delta: deltaSchema.nullish().catch(null),
  message: messageSchema.nullish().catch(null),
});

/** What one event says, whatever its order or mixture. */
type Chunk = {
  /** Text to append. */
  text: string;
  /** The whole text so far, which a finished message may carry. */
  wholeText: string;
  finishReason: string | null;
  callFragments: readonly unknown[];
  wholeCalls: readonly unknown[];
  /** What says something of the plan: beside the choices, as documented, or in one of them. */
  metadata: JsonRecord[];
  /** What may hold a payment or card outside any metadata: the event, its delta and message, their lists of parts. */
  beside: JsonRecord[];
};

/** Reads an event of the stream. Fields may be missing, null or of another type: such a field says nothing. */
export function readChunk(event: JsonRecord): Chunk {
  const { raw, choice } = firstChoice(own(event, 'choices'));
  const delta = choice?.delta;
  const message = choice?.message;
  const said = [own(raw, 'delta'), own(raw, 'message')].filter(isRecord);
  return {
    text: readContent(delta?.content) || readContent(delta?.message?.content),
    wholeText: readContent(message?.content),
    finishReason: choice?.finish_reason || null,
    callFragments: [...(delta?.tool_calls ?? []), ...(delta?.message?.tool_calls ?? [])],
    wholeCalls: message?.tool_calls ?? [],
    metadata: [event, raw, ...said].map((record) => readJson(own(record, 'metadata'))).filter(isRecord),
    beside: [event, raw, ...said, ...said.flatMap(readContentParts)],
  };
}

/** A chat message's parts may hold a card as one of type `metadata`; a reader of cards looks for it there. */
function readContentParts(said: JsonRecord): JsonRecord[] {
  const content = own(said, 'content');
  return Array.isArray(content) ? [{ metadata: content }] : [];
}

/** A choice as it came, and as it was read. */
type FirstChoice = { raw: JsonRecord; choice: z.infer<typeof choiceSchema> | null };

/** One answer is asked for, so choices beyond index 0 are none of ours. */
function firstChoice(choices: unknown): FirstChoice {
  const none = { raw: {}, choice: null };
  if (!Array.isArray(choices)) return none;
  for (const item of choices.slice(0, 8)) {
    const choice = choiceSchema.safeParse(item);
    if (!isRecord(item) || !choice.success) continue;
    if ((choice.data.index ?? 0) === 0) return { raw: item, choice: choice.data };
  }
  return none;
}

/** Content as a string or as a list of parts. */
function readContent(content: unknown): string {
  if (Array.isArray(content)) return readParts(content) ?? '';
  return typeof content === 'string' ? content : '';
}
