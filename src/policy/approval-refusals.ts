/** What people are told whose approval cannot be taken, or does not count any more; for reasons that no rule states. */

/** What stands in the way of an approval that the rules allow. */
export const OBSTACLES = {
  'approved-before': 'You have approved it already. A different person has to as well.',
  'other-option': 'Somebody has approved another of the options. Two people approve the same one, or nothing.',
  'not-payable': 'This option cannot be approved, because its amount or currency is not plain.',
  'no-such-option': 'There is no such option.',
  overtaken: 'Somebody else has just approved it, or the policy has changed. Please look at the card again.',
  'earlier-counts-no-more':
    'The approval given before does not count any more under the policy as it is now. Decline this payment, or let it expire and start over.',
} as const;

/** Why an approval that was recorded may not be told to the planner: fewer people than the policy wants by now. */
export const TOO_FEW_APPROVED = 'By now it takes two different people to approve it, and only one has.';

/**
 * Why an approval that was recorded may not be told to the planner: who gave it may give none by now. `isKnown` is false
 * when Slack has not said all of what matters about them. Our own mrkdwn.
 */
export function mayApproveNoMore({ userId, isKnown }: { userId: string; isKnown: boolean }): string {
  return isKnown
    ? `<@${userId}> has approved it, and may approve it no more.`
    : `<@${userId}> has approved it, and Slack does not show just now that they still may. Please try again.`;
}
