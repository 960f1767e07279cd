import type { WebClient } from '@slack/web-api';
import type { BotIdentity } from '../domain/ports/bot-identity.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { People, PersonQuery } from '../domain/ports/people.ts';
import { SlackError } from '../errors.ts';
import { callSlack } from './map-error.ts';
import { type AskSlack, createAskSlack, type Finding } from './people/ask-slack.ts';
import { type Account, NO_ACCOUNT, readAccount } from './people/read-account.ts';

type PeopleOptions = {
  /** A person waits: the client for replies. */
  client: Pick<WebClient, 'users' | 'usergroups' | 'conversations' | 'slackApiUrl'>;
  identity: BotIdentity;
  logger: Logger;
  /** How long each look-up may take, all its calls together. Default 1,500; all look-ups run at once. */
  limitMs?: number;
};

type Parts = Pick<PeopleOptions, 'client' | 'identity'> & { ask: AskSlack };

/** Slack documents "under 1,000" for such lists. */
const MEMBERS_PER_PAGE = 999;
const MAX_PAGES = 10;

/**
 * Who is clicking: guest or not, of which workspace, in which of the groups asked for, in the channel or not. Asks Slack
 * each time and keeps nothing, so that who has just left a group may not decide any more.
 */
export function createPeople({ client, identity, logger, limitMs = 1_500 }: PeopleOptions): People {
  const parts: Parts = {
    client,
    identity,
    ask: createAskSlack({ logger, limitMs, isSlack: isSlackItself(client.slackApiUrl) }),
  };
  return {
    async lookUp(query) {
      const [account, groups, membership] = await Promise.all([
        findAccount(parts, query),
        findGroups(parts, query),
        findMembership(parts, query),
      ]);
      const { teamId, isActivePerson, isGuest, isExternal } = account.value;
      const findings = [account, ...groups, membership];
      const problems = [account.value, ...findings].flatMap(({ problem }) => problem ?? []);
      return {
        userId: query.userId,
        teamId,
        isActivePerson,
        isGuest,
        isExternal,
        groupIds: groups.flatMap(({ value }) => value ?? []),
        isMember: membership.value,
        isKnown: findings.every(({ problem }) => problem === null),
        problem: problems.length > 0 ? [...new Set(problems)].join(' ') : null,
      };
    },
  };
}

/** Slack's own hosts, government's included. */
function isSlackItself(apiUrl: string): boolean {
  return /(?:^|\.)slack(?:-gov)?\.com$/i.test(new URL(apiUrl).hostname);
}

function findAccount({ client, identity, ask }: Parts, { userId }: PersonQuery): Promise<Finding<Account>> {
  return ask({
    method: 'users.info',
    about: 'who you are',
    async ask() {
      const [{ teamId }, { user }] = await Promise.all([
        identity.resolve(),
        callSlack('users.info', () => client.users.info({ user: userId })),
      ]);
      return user ? readAccount(user, teamId) : null;
    },
    failed: NO_ACCOUNT,
    notKnown: {
      teamId: identity.current()?.teamId ?? '',
      isActivePerson: true,
      isGuest: false,
      isExternal: false,
      problem: null,
    },
  });
}

/** For each group its id if the person is in it, else `undefined`. */
function findGroups({ client, ask }: Parts, query: PersonQuery): Promise<Array<Finding<string | undefined>>> {
  const groups = [...new Set(query.groupIds)].map((groupId) =>
    ask<string | undefined>({
      method: 'usergroups.users.list',
      about: `whether you are in the user group ${groupId}`,
      async ask() {
        const { users } = await callSlack('usergroups.users.list', () =>
          client.usergroups.users.list({ usergroup: groupId }),
        );
        if (!users) return null;
        return users.includes(query.userId) ? groupId : undefined;
      },
      failed: undefined,
      notKnown: undefined,
    }),
  );
  return Promise.all(groups);
}

/** A direct message has but the bot and the one who clicks in it. */
async function findMembership({ client, ask }: Parts, query: PersonQuery): Promise<Finding<boolean>> {
  if (query.channelId.startsWith('D')) return { value: true, problem: null };
  // A policy that is read again meanwhile may ask what was not found out.
  if (!query.needsMembership) return { value: false, problem: null };
  return ask({
    method: 'conversations.members',
    about: 'whether you are a member of this channel',
    ask: (signal) => isMember(client, query, signal),
    failed: false,
    notKnown: true,
  });
}

async function isMember(
  client: Parts['client'],
  { userId, channelId }: PersonQuery,
  signal: AbortSignal,
): Promise<boolean | null> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && !signal.aborted; page += 1) {
    const after = cursor ? { cursor } : {};
    const { members, response_metadata: metadata } = await callSlack('conversations.members', () =>
      client.conversations.members({ channel: channelId, limit: MEMBERS_PER_PAGE, ...after }),
    );
    if (!members) return null;
    if (members.includes(userId)) return true;
    cursor = metadata?.next_cursor;
    if (!cursor) return false;
  }
  throw new SlackError(`The channel has more members than can be looked through in time.`, {
    code: 'slack_refused',
    retryable: false,
  });
}
