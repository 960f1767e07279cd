/** What the product counts. Implemented on Prometheus in ops/, and by nothing at all in tests of other matters. */
export interface Telemetry {
  ackTook(ms: number): void;
  statusEdit(outcome: 'sent' | 'dropped' | 'limited'): void;
  streamOpened(): void;
  streamClosed(): void;
  deltaSkipped(): void;
  /** From the pause's opening to the decision. */
  decisionTook(ms: number): void;
}

export const NO_TELEMETRY: Telemetry = {
  ackTook() {},
  statusEdit() {},
  streamOpened() {},
  streamClosed() {},
  deltaSkipped() {},
  decisionTook() {},
};
