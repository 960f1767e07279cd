import { createHash } from 'node:crypto';
import { ConfigError } from '../errors.ts';
import { readApprovers } from './approvers.ts';
import { type Policy, perCap } from './policy.ts';

const NOTHING = { allow: null, deny: [] };
const NO_CONDITION = {
  channels: null,
  requesters: null,
  currencies: null,
  over: null,
  upTo: null,
  methods: null,
  payees: null,
};

/**
 * The policy that `PAYMENT_APPROVERS` stands for: one rule for every payment, one approver, no caps, no guests, nobody
 * from other workspaces.
 *
 * @throws {ConfigError} when it names nobody or somebody unknown
 */
export function policyFromApprovers(approvers: readonly string[]): Policy {
  const read = readApprovers(approvers);
  if ('problem' in read) throw new ConfigError([`PAYMENT_APPROVERS ${read.problem}`]);
  return {
    source: 'PAYMENT_APPROVERS',
    digest: createHash('sha256').update(JSON.stringify(approvers)).digest('hex'),
    guests: 'deny',
    slackConnect: 'deny',
    methods: NOTHING,
    payees: NOTHING,
    caps: perCap(() => null),
    rules: [
      {
        name: 'PAYMENT_APPROVERS',
        when: NO_CONDITION,
        effect: { kind: 'approval', who: read.who, approversNeeded: 1 },
      },
    ],
  };
}

/** What holds when nothing is set: whoever asked approves. */
export const DEFAULT_POLICY: Policy = policyFromApprovers(['requester']);
