/** An HTTP error answer. `reason` is for whoever reads the record of requests. */
export type Refusal = { status: number; body: unknown; reason: string };

/** OpenAI's error shape, which the vendor's clients read first. */
export function refuse(status: number, reason: string, code: string): Refusal {
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error';
  return { status, reason, body: { error: { message: reason, type, code } } };
}

/** The shape that FastAPI gives a missing or malformed field. */
export function refuseField(loc: string[], reason: string): Refusal {
  return {
    status: 422,
    reason: `${loc.join('.')}: ${reason}`,
    body: { detail: [{ loc, msg: reason, type: 'value_error' }] },
  };
}
