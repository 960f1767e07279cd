/** Bounds on what a planner may send (contract C37). Passing a `stream` or `event` bound fails the leg. */
export const PLANNER_LIMITS = {
  /** One server-sent event, in characters. */
  eventChars: 4 * 1024 * 1024,
  /** One leg's stream, in bytes after decompression. */
  streamBytes: 64 * 1024 * 1024,
  /** The body of a refusal; the rest is not read. */
  errorBodyBytes: 64 * 1024,
  /** Phases and tasks read from one event; the rest of the event is skipped. */
  phasesPerEvent: 2_000,
  tasksPerEvent: 20_000,
  /** Payments and cards kept of one event's tasks, the last ones. */
  detailsPerEvent: 20,
  /** Entries read from a list of text parts or agents. */
  listItems: 50,
  /** Options read of a question: more than anybody would choose from, all of which can be listed. */
  options: 500,
  /** Tool calls of one leg. */
  toolCalls: 64,
  /** Text of a failure, for the log. */
  detailChars: 2_000,
} as const;
