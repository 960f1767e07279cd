import type { ApproversNeeded } from '../domain/payment.ts';
import type { CapStanding } from './caps.ts';
import type { PaymentStanding } from './evaluate.ts';
import type { CapName, WhoMayApprove } from './policy.ts';

type Naming = {
  requesterId: string;
  /** A person's name in the text; default: a Slack mention. */
  mention?: (userId: string) => string;
  /** A user group's name; default: its id. Never a mention, which would ping all of it. */
  groupName?: (groupId: string) => string;
};

/**
 * Who may approve, in plain words, as the rest of a sentence: `<@U1> (who asked)`, `members of finance`, `2 different
 * people of: anyone in this channel`. `groupName` has to escape what it returns for where the text goes.
 */
export function describeApprovers(
  who: WhoMayApprove,
  { approversNeeded, ...naming }: Naming & { approversNeeded: ApproversNeeded },
): string {
  const { requesterId, mention = slackMention, groupName = groupId } = naming;
  const asker = `${mention(requesterId)} (who asked)`;
  const users = who.users.filter((id) => id !== requesterId).map(mention);
  const isAskerNamed = who.requester || (who.users.includes(requesterId) && !who.notTheRequester);
  const parts = who.anyone ? ['anyone in this channel', ...users] : [...(isAskerNamed ? [asker] : []), ...users];
  const groups = [...new Set(who.groups)].map((id) => `members of ${groupName(id)}`);
  const all = [...new Set([...parts, ...groups])];
  const named = all.length === 0 ? 'nobody' : all.join(', or ');
  const text = approversNeeded === 2 ? `2 different people of: ${named}` : named;
  return who.notTheRequester ? `${text}, but not ${asker}` : text;
}

/** Who may approve a payment, and each option for itself where they differ; for an auto-declined one, nobody. */
export function describeStanding(standing: PaymentStanding, naming: Naming): string {
  if (standing.kind === 'auto-decline') return 'nobody';
  const ways = new Map<string, number[]>();
  for (const { index, whoMayApprove, approversNeeded } of standing.options) {
    const text = describeApprovers(whoMayApprove, { approversNeeded, ...naming });
    ways.set(text, [...(ways.get(text) ?? []), index + 1]);
  }
  if (ways.size === 1) return [...ways.keys()].join();
  return [...ways].map(([text, numbers]) => `option ${numbers.join(', ')}: ${text}`).join('; ');
}

const CAP_WORDS: Record<CapName, string> = {
  request: 'Per request',
  'user-per-day': 'Today by whoever asked',
  'channel-per-day': 'Today in this channel',
  'workspace-per-day': 'Today in this workspace',
};

/** Caps in plain lines: `Today in this channel: 12 of 100 USD`, `Per request: up to 50 USD`. */
export function describeCaps(caps: readonly CapStanding[]): string[] {
  return caps.map(({ name, spent, limit, currency }) => {
    if (name === 'request') return `${CAP_WORDS[name]}: up to ${limit} ${currency}`;
    return `${CAP_WORDS[name]}: ${spent ?? 'an unknown part'} of ${limit} ${currency}`;
  });
}

/** Options that cannot be approved, in plain lines: `Option 2 cannot be approved: …`. */
export function describeBlocked(standing: PaymentStanding, optionCount: number): string[] {
  if (standing.kind === 'auto-decline') return [];
  return standing.blockedOptions.map(
    ({ index, reason }) => `${optionCount === 1 ? 'It' : `Option ${index + 1}`} cannot be approved: ${reason}`,
  );
}

function slackMention(userId: string): string {
  return `<@${userId}>`;
}

function groupId(id: string): string {
  return `the user group ${id}`;
}
