/** What people are told whose approval cannot be taken, or does not count any more, where no rule says why. */
export const APPROVAL_REFUSALS = {
  'approved-before': 'You have approved it already. A different person has to as well.',
  'other-option': 'Somebody has approved another of the options. Two people approve the same one, or nothing.',
  'not-payable': 'This option cannot be approved, because its amount or currency is not plain.',
  'no-such-option': 'There is no such option.',
  overtaken: 'Somebody else has just approved it, or the policy has changed. Please look at the card again.',
  'earlier-counts-no-more':
    'The approval given before does not count any more under the policy as it is now. Decline this payment, or let it expire and start over.',
  'too-few-approvers': 'By now it takes two different people to approve it, and only one has.',
} as const;

/**
 * Why a recorded approval does not count any more: whoever gave it may give none by now. `isKnown` is false when Slack
 * has not said all of what matters about them. Our own mrkdwn.
 */
export function mayApproveNoMore({ userId, isKnown }: { userId: string; isKnown: boolean }): string {
  return isKnown
    ? `<@${userId}> has approved it, and may approve it no more.`
    : `<@${userId}> has approved it, and Slack does not show just now that they still may. Please try again.`;
}
