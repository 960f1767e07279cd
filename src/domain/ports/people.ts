/** Someone who wants to decide a payment, and what the policy needs to know of them. */
export type PersonQuery = {
  userId: string;
  channelId: string;
  /** User groups of which it matters whether the person is in them. */
  groupIds: readonly string[];
  /** Whether it matters that the person is a member of the channel. */
  needsMembership: boolean;
};

/**
 * What Slack says of a person now. What could not be found out counts against them (no active person, a guest, of another
 * workspace, in no group, no member), and `problem` says so in a sentence for them; it also says why somebody is no
 * active person.
 */
export type Person = {
  userId: string;
  teamId: string;
  /** False for an app and for a deactivated account. */
  isActivePerson: boolean;
  isGuest: boolean;
  /** Of another workspace, in a shared channel. */
  isExternal: boolean;
  groupIds: readonly string[];
  isMember: boolean;
  /** False when Slack has not said all that was asked: another time the same person may be more. */
  isKnown: boolean;
  problem: string | null;
};

/** Asked anew for every decision: who has left a group may not decide any more. */
export interface People {
  /** Never rejects, and answers within about two seconds. */
  lookUp(query: PersonQuery): Promise<Person>;
}
