import { WebAPIHTTPError } from '@slack/web-api';
import { within } from '../../async/within.ts';
import type { Logger } from '../../domain/ports/logger.ts';
import { SlackError } from '../../errors.ts';
import { scopesNeeded, toSlackError } from '../map-error.ts';

/** One thing to find out about a person. */
export type Question<T> = {
  /** Slack's name of the method. */
  method: string;
  /** Completes "Slack did not say …". */
  about: string;
  /** Null when the server says that all went well, but leaves out what the method documents. Stops at the signal. */
  ask: (signal: AbortSignal) => Promise<T | null>;
  /** The answer that counts against the person. */
  failed: T;
  /** The answer of a server that knows nothing of the matter. */
  notKnown: T;
};

/** `problem` is a sentence for the person, when the answer is not Slack's. */
export type Finding<T> = { value: T; problem: string | null };

export type AskSlack = <T>(question: Question<T>) => Promise<Finding<T>>;

/**
 * Asks one question for at most `limitMs`. Never rejects: whatever fails counts against the person. Keeps only which
 * methods it has warned of, so that the log says once that a server does not have them.
 *
 * The one exception is a server that is not Slack's own and does not have the method at all (`unknown_method`, HTTP 404, or `ok: true` and
 * nothing else).
 * Slack has had these methods since long, so this is no Slack but a server like it, for tests or on a network of one's
 * own. It has neither guests nor groups nor other workspaces, and to refuse everybody there would make payments
 * impossible without protecting anyone.
 */
export function createAskSlack(options: { logger: Logger; limitMs: number; isSlack: boolean }): AskSlack {
  const { logger, limitMs, isSlack } = options;
  const warned = new Set<string>();

  function withoutMethod<T>({ method, notKnown }: Question<T>): Finding<T> {
    if (!warned.has(method)) {
      warned.add(method);
      logger.warn({ method }, 'slack_has_no_such_method');
    }
    return { value: notKnown, problem: null };
  }

  return async (question) => {
    try {
      const value = await askInTime(question, limitMs);
      if (value !== null) return { value, problem: null };
      if (!isSlack) return withoutMethod(question);
      throw new SlackError(`${question.method} told nothing.`, { code: 'slack_refused', retryable: false });
    } catch (cause) {
      const error = toSlackError(cause, question.method);
      if (!isSlack && isMethodUnknown(error)) return withoutMethod(question);
      const { code, slackCode, message: reason } = error;
      logger.warn({ method: question.method, code, slackCode, reason }, 'slack_person_not_known');
      return { value: question.failed, problem: sentenceOf(question, error) };
    }
  };
}

function isMethodUnknown({ slackCode, cause }: SlackError): boolean {
  return slackCode === 'unknown_method' || (cause instanceof WebAPIHTTPError && cause.statusCode === 404);
}

async function askInTime<T>({ method, ask }: Question<T>, limitMs: number): Promise<T | null> {
  const over = new AbortController();
  const late = (): never => {
    throw new SlackError(`Slack did not answer ${method} in ${limitMs} ms.`, {
      code: 'slack_unreachable',
      retryable: true,
    });
  };
  try {
    return await within(ask(over.signal), { ms: limitMs, late });
  } finally {
    over.abort();
  }
}

function sentenceOf({ about }: { about: string }, error: SlackError): string {
  if (error.slackCode === 'missing_scope') {
    return `The Slack app cannot find out ${about}: it lacks the scope ${scopesNeeded(error.cause) ?? 'for it'}. Please tell an admin.`;
  }
  if (error.code === 'slack_rate_limited') {
    return `Slack does not say ${about} just now, because it was asked too often. Please try again in a minute.`;
  }
  if (error.retryable && error.code !== 'slack_token_refused')
    return 'Slack did not say in time who you are. Please try again.';
  const word = error.slackCode === null ? '' : ` (${error.slackCode})`;
  return `Slack did not say ${about}${word}. Please tell an admin.`;
}
