import { describe, expect, it } from 'vitest';
import { agentAddressProblem } from '../../../../src/planner/asi-one/settings.ts';

/** Published in public code of others; their checksums were not made here. */
const PUBLISHED = [
  'agent1qvpk7cwgjfdtzfsxv092gcdu0sdsu43z6p0z8nrfckxmcmzd532dgxuy0x5',
  'agent1qfvydlgcxrvga2kqjxhj3hpngegtysm2c7uk48ywdue0kgvtc2f5cwhyffv',
  'agent1qfa53drat8rzau90u4494gx5mhj3v87tm4t5cuzkd7gkegxcm5vx5pku7kf',
  'agent1qvz20fv70zj4v0psjg5wxkufl36klj986yu2s5qrdhhl9g8c03p02q6hvwu',
  'agent1q0f3l47jc7nwp6u6tem9g9nwpd2qnl7a379aznwntpeqxxr5hks3zxazuse',
];
const GOOD = 'agent1qvpk7cwgjfdtzfsxv092gcdu0sdsu43z6p0z8nrfckxmcmzd532dgxuy0x5';

describe('an agent address', () => {
  it.each(PUBLISHED)('that is published is good: %s', (address) => {
    expect(agentAddressProblem(address)).toBeNull();
  });

  it.each([
    ['a scheme', `agent://${GOOD}`, /scheme/],
    ['upper case', GOOD.toUpperCase(), /upper-case/],
    ['another prefix', GOOD.replace('agent1', 'user1q'), /does not start with "agent1"/],
    ['a missing character', GOOD.slice(0, -1), /64 characters instead of 65/],
    ['a character too many', `${GOOD}q`, /66 characters/],
    ['a character outside bech32', `${GOOD.slice(0, 30)}b${GOOD.slice(31)}`, /"b"/],
    ['a key that is not compressed', `agent1p${GOOD.slice(7)}`, /compressed/],
    ['nothing in it', '', /does not start/],
  ])('with %s is refused with the reason', (_, address, reason) => {
    expect(agentAddressProblem(address)).toMatch(reason);
  });

  it('with any one character changed is refused', () => {
    for (let at = 'agent1q'.length; at < GOOD.length; at += 1) {
      const other = GOOD[at] === 'q' ? 'p' : 'q';
      expect(agentAddressProblem(GOOD.slice(0, at) + other + GOOD.slice(at + 1))).not.toBeNull();
    }
  });
});
