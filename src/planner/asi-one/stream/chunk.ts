import { z } from 'zod';
import { isRecord, type JsonRecord, own } from '../json-record.ts';
import { readParts } from './field-reader.ts';

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
  metadata: JsonRecord | null;
};

/** Reads an event of the stream. Fields may be missing, null or of another type: such a field says nothing. */
export function readChunk(event: JsonRecord): Chunk {
  const choice = firstChoice(own(event, 'choices'));
  const metadata = own(event, 'metadata');
  const delta = choice?.delta;
  const message = choice?.message;
  return {
    text: readContent(delta?.content) || readContent(delta?.message?.content),
    wholeText: readContent(message?.content),
    finishReason: choice?.finish_reason || null,
    callFragments: [...(delta?.tool_calls ?? []), ...(delta?.message?.tool_calls ?? [])],
    wholeCalls: message?.tool_calls ?? [],
    metadata: isRecord(metadata) ? metadata : null,
  };
}

/** One answer is asked for, so choices beyond index 0 are none of ours. */
function firstChoice(choices: unknown): z.infer<typeof choiceSchema> | null {
  if (!Array.isArray(choices)) return null;
  for (const item of choices.slice(0, 8)) {
    const choice = choiceSchema.safeParse(item);
    if (choice.success && (choice.data.index ?? 0) === 0) return choice.data;
  }
  return null;
}

/** Content as a string or as a list of parts. */
function readContent(content: unknown): string {
  if (Array.isArray(content)) return readParts(content) ?? '';
  return typeof content === 'string' ? content : '';
}
