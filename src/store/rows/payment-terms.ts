import { z } from 'zod';
import type { PaymentTerms } from '../../domain/payment.ts';

const text = z.string().nullable();

/** Terms as they stand in pauses and in the ledger. */
export const paymentTermsSchema: z.ZodType<PaymentTerms> = z.object({
  payeeName: text,
  payeeAddress: text,
  // Not in terms from before it was read.
  askerAddress: text.default(null),
  options: z.array(z.object({ amount: z.string(), currency: z.string(), method: z.string() })),
  description: text,
  reference: text,
  deadlineSeconds: z.number().nullable(),
  links: z.array(z.string()),
});
