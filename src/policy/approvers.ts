import type { WhoMayApprove } from './policy.ts';

const USER = /^[UW][A-Z0-9]{1,30}$/;
const GROUP = /^S[A-Z0-9]{1,30}$/;
const KEYWORDS = ['requester', 'anyone', 'not-the-requester'];

/**
 * Reads who may approve from words: `requester`, `anyone` (members of the channel), user ids, user group ids, which add
 * up, and `not-the-requester`, which takes the requester away; alone it means anyone else in the channel.
 */
export function readApprovers(words: readonly string[]): { who: WhoMayApprove } | { problem: string } {
  const strange = words.find((word) => !KEYWORDS.includes(word) && !USER.test(word) && !GROUP.test(word));
  if (strange !== undefined || words.length === 0) {
    return { problem: 'must be requester, anyone, not-the-requester, or ids of people and user groups (U…, W…, S…)' };
  }
  const requester = words.includes('requester');
  const notTheRequester = words.includes('not-the-requester');
  if (requester && notTheRequester) return { problem: 'cannot be requester and not-the-requester at once' };
  const users = words.filter((word) => USER.test(word));
  const groups = words.filter((word) => GROUP.test(word));
  const isAlone = notTheRequester && users.length === 0 && groups.length === 0;
  return { who: { requester, anyone: isAlone || words.includes('anyone'), users, groups, notTheRequester } };
}
