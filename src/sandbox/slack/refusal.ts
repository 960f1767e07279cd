import type { Json } from './json.ts';

/** Slack's `{ok: false}`: `code` is the error word, `details` the further fields of the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly details: Json;

  constructor(code: string, details: Json = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** Something that no person could do in Slack's client: press a button that is not there, leave a required field empty. */
export class ImpossibleAction extends Error {
  override readonly name = 'ImpossibleAction';
}
