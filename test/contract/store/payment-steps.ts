import fc from 'fast-check';
import type { Crash } from './crashing-pool.ts';

/** Who does it, to the current run of which thread, and whether the process is killed over it. */
type Where = { process: 0 | 1; thread: 0 | 1; crash: Crash | null };

/** Which of a thread's pauses a person has in view, counted from the newest: cards stay on screens. */
type Seen = { pause: number; person: string };

/** Something that a process or a person does. */
export type PaymentStep = Where &
  (
    | { do: 'claim' | 'send' | 'settle' | 'release' | 'sweep' | 'stop' | 'resume' | 'expire' }
    | { do: 'pause'; for: 'payment' | 'two people' | 'refused payment' | 'question'; amount: string }
    | ({ do: 'approve'; option: number; isStale: boolean } & Seen)
    | ({ do: 'decline' } & Seen)
    | { do: 'reply'; key: number }
    | { do: 'end'; state: 'completed' | 'failed' | 'interrupted' }
  );

const where = {
  process: fc.constantFrom(0 as const, 1 as const),
  thread: fc.constantFrom(0 as const, 0 as const, 1 as const),
  crash: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ atStatement: fc.integer({ min: 1, max: 30 }), isDone: fc.boolean() }) },
  ),
};
const seen = {
  pause: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 2 }) }),
  person: fc.constantFrom('U2', 'U3', 'U4'),
};

const only = <Do extends string>(...words: [Do, ...Do[]]) => fc.record({ ...where, do: fc.constantFrom(...words) });

export const paymentStepArbitrary: fc.Arbitrary<PaymentStep> = fc.oneof(
  { weight: 8, arbitrary: only('claim', 'send') },
  {
    weight: 7,
    arbitrary: fc.record({
      ...where,
      do: fc.constant('pause' as const),
      for: fc.constantFrom('payment', 'payment', 'two people', 'refused payment', 'question'),
      amount: fc.constantFrom('0.1', '0.2', '9.99', '20.000000000000000001'),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      ...where,
      ...seen,
      do: fc.constant('approve' as const),
      option: fc.constantFrom(0, 0, 0, 1, 2),
      isStale: fc.nat({ max: 9 }).map((drawn) => drawn === 9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...where, ...seen, do: fc.constant('decline' as const) }) },
  { weight: 3, arbitrary: fc.record({ ...where, do: fc.constant('reply' as const), key: fc.nat({ max: 2 }) }) },
  { weight: 4, arbitrary: only('settle', 'release', 'sweep') },
  { weight: 5, arbitrary: only('resume') },
  { weight: 1, arbitrary: only('stop', 'expire') },
  {
    weight: 3,
    arbitrary: fc.record({
      ...where,
      do: fc.constant('end' as const),
      state: fc.constantFrom('completed', 'failed', 'interrupted', 'interrupted'),
    }),
  },
);
