import { type JsonRecord, own } from '../values/json-record.ts';

/**
 * Where to look for what a payment request may say, likeliest first. `accepted_funds`, `recipient`, `deadline_seconds`,
 * `reference`, `description` and `metadata` are those of uAgents' `RequestPayment`, `amount`, `currency` and
 * `payment_method` those of its `Funds` (payment protocol 0.1.0); how the planner passes them on is not public.
 */
export const PAYMENT_ALIASES = {
  request: ['payment_request', 'payment', 'request_payment', 'payment_details'],
  /** Inside of what carries a request. */
  wrapped: ['payload', 'request', 'payment_request', 'request_payment', 'data', 'message'],
  funds: ['accepted_funds', 'funds', 'payment_options', 'accepted_payments', 'options'],
  amount: ['amount', 'price', 'total'],
  currency: ['currency', 'denom', 'asset'],
  method: ['payment_method', 'method', 'rail'],
  payee: ['recipient', 'payee', 'agent', 'seller', 'merchant'],
  payeeName: ['recipient_name', 'payee_name', 'agent_name', 'seller_name', 'merchant_name'],
  payeeAddress: ['recipient_address', 'payee_address', 'agent_address', 'address'],
  /** Beside the request, in the task or the plan: who the planner was talking to. */
  agent: ['agent', 'selected_agent', 'agent_used', 'agent_name', 'agent_address'],
  description: ['description', 'purpose', 'memo', 'reason', 'title'],
  reference: ['reference', 'payment_reference', 'reference_id', 'invoice_id', 'order_id'],
  deadline: ['deadline_seconds', 'deadline_in_seconds', 'expires_in_seconds', 'timeout_seconds', 'expires_in'],
} as const satisfies Record<string, readonly string[]>;

/** The first alias whose value can be read. */
export function firstOf<T>(
  record: JsonRecord,
  keys: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const key of keys) {
    const value = read(own(record, key));
    if (value !== undefined) return value;
  }
  return undefined;
}
