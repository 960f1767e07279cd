/**
 * Slack's size limits, in characters unless the name says otherwise.
 *
 * Sources: docs.slack.dev reference pages of chat.update, views.open and the Block Kit blocks and elements
 * (May to September 2026) and the comments of `@slack/types` 3.2. Where Slack documents nothing, the value is ours and
 * the line says so.
 */
export const LIMITS = {
  message: {
    /** chat.update answers `msg_too_long` above this; chat.postMessage recommends it. */
    text: 4_000,
    blocks: 50,
    /** Ours: streams of cards were refused from about 10.6 KB, so a message that is edited stays near it. */
    weightedBytes: 12_000,
  },
  /** All `markdown` blocks of one payload together. */
  markdown: 12_000,
  section: 3_000,
  context: { elements: 10, text: 2_000 },
  actions: 25,
  button: { text: 75, value: 2_000, actionId: 255 },
  select: { options: 100, optionText: 75, optionValue: 150, placeholder: 150 },
  /** Text fields of `plan` and `task_card` as documented; longer ones were seen to pass. */
  plan: { tasks: 50, title: 256 },
  task: { id: 255, title: 256, details: 256 },
  modal: {
    title: 24,
    button: 24,
    blocks: 100,
    privateMetadata: 3_000,
    bytes: 250_000,
    /** Ours: leaves room for a view's frame and the ids that Slack adds. */
    contentBytes: 235_000,
  },
  input: { label: 2_000, hint: 2_000, placeholder: 150, value: 3_000 },
} as const;
