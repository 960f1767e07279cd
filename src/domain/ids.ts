import { randomUUID } from 'node:crypto';

/** Makes the opaque ids of runs, pauses and sessions. A parameter wherever one is made, so that tests can fix it. */
export type CreateId = () => string;

/** A fresh UUID v4: what the planner documents for `x-session-id`, and unguessable in a button's value. */
export const createId: CreateId = () => randomUUID();
