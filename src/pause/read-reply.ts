import type { AnswerableRequest } from '../domain/pause.ts';

/** `2`, `2.`, `2)`, `#2`, `option 2`, `confirm 1`, `option #2`. */
const NUMBER = /^(?<word>option|choice|confirm|number|answer|no\.?)?\s*(?<hash>#)?\s*(?<number>\d{1,4})\s*[.)!]?$/iu;

/**
 * What a reply in the thread answers: the option it names by its text or number, in the option's own words, or else
 * the reply itself.
 *
 * A bare number is a number of an option only when no option begins with a digit: to "How many nights?" with the
 * options "3" and "5", the reply "2" means two nights.
 */
export function readReply(request: AnswerableRequest, text: string): string {
  const reply = text.trim();
  return namedOption(request, reply) ?? numberedOption(request, reply) ?? reply;
}

function namedOption(request: AnswerableRequest, reply: string): string | undefined {
  const wanted = comparable(reply);
  return wanted === '' ? undefined : request.options.find((option) => comparable(option) === wanted);
}

function numberedOption(request: AnswerableRequest, reply: string): string | undefined {
  const groups = NUMBER.exec(reply)?.groups;
  if (!groups?.number) return undefined;
  const isExplicit = groups.word !== undefined || groups.hash !== undefined;
  if (!isExplicit && request.options.some((option) => /^\s*\d/.test(option))) return undefined;
  const option = request.options[Number(groups.number) - 1];
  return option?.trim() ? option : undefined;
}

/** Case, spaces around, and a closing mark do not matter. */
function comparable(text: string): string {
  return text
    .trim()
    .replace(/[.!?…]+$/u, '')
    .trim()
    .toLowerCase();
}
