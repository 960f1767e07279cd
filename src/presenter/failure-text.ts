import type { FailureCode } from '../domain/run.ts';

type FailureText = { what: string; todo: string };

/** One fixed sentence and one piece of advice per failure (contract C30). Raw errors are never shown. */
const FAILURES: Record<FailureCode, FailureText> = {
  planner_key_refused: {
    what: 'The API key was refused by the planner.',
    todo: 'Ask the operator to check `ASI_ONE_API_KEY`, then start over.',
  },
  planner_model_unknown: {
    what: 'The planner does not know the configured model. Valid names are `asi1`, `asi1-mini` and `asi1-ultra`.',
    todo: 'Ask the operator to set `ASI_ONE_MODEL` to one of them, then start over.',
  },
  planner_rate_limited: {
    what: 'The planner is taking no more requests for now.',
    todo: 'Wait a few minutes, then start over.',
  },
  planner_unavailable: {
    what: 'The planner could not be reached.',
    todo: 'Wait a few minutes, then start over; if it stays so, tell the operator.',
  },
  planner_error: {
    what: 'The planner reported an error and could not finish.',
    todo: 'Start over; if it happens again, put the request in other words or tell the operator.',
  },
  planner_too_large: {
    what: 'The planner sent more than Steward can take in.',
    todo: 'Ask for less at once, in smaller steps.',
  },
  planner_idle: {
    what: 'The planner fell silent for too long, so the run was ended.',
    todo: 'Start over.',
  },
  run_timeout: {
    what: 'The run took longer than a run may take.',
    todo: 'Ask for less at once, in smaller steps.',
  },
  too_many_tool_rounds: {
    what: 'The planner kept asking for tools that are not there.',
    todo: 'Put the request in other words, then try again.',
  },
  too_many_payments: {
    what: 'The planner kept asking for payments that the policy declines.',
    todo: 'Put the request in other words, or ask the operator what the policy allows.',
  },
  approval_withheld: {
    what: 'The approval of a payment was not passed on to the planner, because the policy does not allow it as things stand.',
    todo: 'Start over to ask for the payment anew, or close the run. *Resume* asks the policy once more.',
  },
  stream_cut: {
    what: 'The connection to the planner broke before it had finished.',
    todo: 'Resume to let the planner go on, or start over.',
  },
  process_stopped: {
    what: 'Steward was restarted while this run was under way.',
    todo: 'Resume to let the planner go on, or start over.',
  },
  process_lost: {
    what: 'Steward stopped unexpectedly while this run was under way.',
    todo: 'Resume to let the planner go on, or start over.',
  },
  internal: {
    what: 'Something went wrong inside Steward.',
    todo: 'Start over; if it happens again, tell the operator the run id.',
  },
};

/** What went wrong as plain words, for summaries. */
export function failureSentence(failure: FailureCode | null): string {
  return FAILURES[failure ?? 'internal'].what.replaceAll('`', '');
}

/** What went wrong, with the run's full id for the operator's log. Our own mrkdwn, no text of others. */
export function failureText(failure: FailureCode | null, runId: string): string {
  return `${FAILURES[failure ?? 'internal'].what} (run \`${runId}\`)`;
}

/** What to do about it. */
export function failureAdvice(failure: FailureCode | null): string {
  return FAILURES[failure ?? 'internal'].todo;
}
