import { describe, expect, it, onTestFinished } from 'vitest';
import type { BotIdentity } from '../../src/domain/ports/bot-identity.ts';
import { SlackError } from '../../src/errors.ts';
import { createSandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../src/sandbox/slack/setup.ts';
import { createClients } from '../../src/slack/clients.ts';
import { createIdentity } from '../../src/slack/identity.ts';
import { createAskSlack } from '../../src/slack/people/ask-slack.ts';
import { createPeople } from '../../src/slack/people.ts';
import { ok, refuse, startFakeSlack } from '../unit/slack/fake-slack.ts';
import { createMemoryLogger } from '../unit/slack/memory-logger.ts';

const { alice, bob, carol, dave, otherBot } = SANDBOX.users;
const { general, random, shared } = SANDBOX.channels;
const { finance } = SANDBOX.userGroups;

const TOKEN = SANDBOX.botToken;

function peopleOf(apiUrl: string, { limitMs = 1_500, identity }: { limitMs?: number; identity?: BotIdentity } = {}) {
  const logger = createMemoryLogger();
  const client = createClients({ token: TOKEN, apiUrl, logger }).replies;
  const people = createPeople({ client, identity: identity ?? createIdentity(client), logger, limitMs });
  const lookUp = (userId: string, asked: Partial<Parameters<typeof people.lookUp>[0]> = {}) =>
    people.lookUp({ userId, channelId: general, groupIds: [], needsMembership: false, ...asked });
  return { lookUp, logger };
}

async function setUp(options: SandboxSlackOptions = {}, { limitMs }: { limitMs?: number } = {}) {
  const slack = await createSandboxSlack({ echoBotMessages: false, ...options });
  onTestFinished(() => slack.close());
  return { slack, ...peopleOf(slack.apiUrl, limitMs === undefined ? {} : { limitMs }) };
}

const MEMBER = { teamId: SANDBOX.teamId, isActivePerson: true, isGuest: false, isExternal: false, problem: null };
const NOBODY = { teamId: '', isActivePerson: false, isGuest: true, isExternal: true, isKnown: false };
const TRY_AGAIN = 'Slack did not say in time who you are. Please try again.';

describe('who someone is', () => {
  it('is a member of the workspace', async () => {
    const { lookUp } = await setUp();
    expect(await lookUp(alice)).toEqual({ userId: alice, ...MEMBER, groupIds: [], isMember: false, isKnown: true });
  });

  it.each([true, 'single_channel'] as const)('is a guest: %s', async (guest) => {
    const { slack, lookUp } = await setUp();
    slack.changeUser(alice, { guest });
    expect(await lookUp(alice)).toMatchObject({ ...MEMBER, isGuest: true });
    expect(await lookUp(carol)).toMatchObject({ ...MEMBER, isGuest: true });
  });

  it('is of another workspace, in a shared channel or as a stranger', async () => {
    const { slack, lookUp } = await setUp();
    const partner = { teamId: SANDBOX.partnerTeamId, isExternal: true, problem: null };
    expect(await lookUp(dave, { channelId: shared })).toMatchObject(partner);
    slack.changeChannel(shared, { members: [SANDBOX.botUserId, alice] });
    expect(await lookUp(dave)).toMatchObject(partner);
  });

  it('is of the workspace when an Enterprise organisation joins it to their own', async () => {
    const { slack, lookUp } = await setUp();
    slack.changeUser(bob, { teamId: 'T0ORGHOME1', enterpriseTeams: ['T0ORGHOME1', SANDBOX.teamId] });
    expect(await lookUp(bob)).toMatchObject({ teamId: 'T0ORGHOME1', isExternal: false, problem: null });
    slack.changeUser(bob, { enterpriseTeams: ['T0ORGHOME1'] });
    expect(await lookUp(bob)).toMatchObject({ isExternal: true });
  });

  it('is no active person, and says why, when deactivated or an app', async () => {
    const { slack, lookUp } = await setUp();
    slack.changeUser(bob, { deleted: true });
    const noPerson = { isActivePerson: false, isExternal: true, isKnown: true };
    expect(await lookUp(bob)).toMatchObject({ ...noPerson, problem: expect.stringContaining('deactivated') });
    expect(await lookUp(otherBot)).toMatchObject({ ...noPerson, problem: expect.stringContaining('an app') });
  });

  it('is asked anew each time', async () => {
    const { slack, lookUp } = await setUp();
    await lookUp(alice);
    slack.changeUser(alice, { guest: true });
    expect(await lookUp(alice)).toMatchObject({ isGuest: true });
  });
});

describe('user groups', () => {
  it('are those asked for that the person is in, each asked for once', async () => {
    const { slack, lookUp } = await setUp();
    slack.setUserGroup('S0BOARD001', [alice, bob]);
    slack.setUserGroup('S0OTHER001', [alice]);
    const groupIds = [finance, 'S0BOARD001', 'S0OTHER001', finance];
    expect(await lookUp(bob, { groupIds })).toMatchObject({ groupIds: [finance, 'S0BOARD001'], problem: null });
    expect(slack.calls('usergroups.users.list')).toHaveLength(3);
  });

  it('are left at once', async () => {
    const { slack, lookUp } = await setUp();
    expect(await lookUp(bob, { groupIds: [finance] })).toMatchObject({ groupIds: [finance] });
    slack.setUserGroup(finance, [alice]);
    expect(await lookUp(bob, { groupIds: [finance] })).toMatchObject({ groupIds: [] });
  });

  it('that cannot be read have nobody in them, and the others still count', async () => {
    const { lookUp } = await setUp();
    const asked = await lookUp(bob, { groupIds: ['S0NOSUCH01', finance] });
    expect(asked).toMatchObject({ ...MEMBER, groupIds: [finance], problem: expect.stringContaining('S0NOSUCH01') });
  });
});

describe('membership', () => {
  it('is asked for only when it matters, counts as none otherwise, and is certain in a direct message', async () => {
    const { slack, lookUp } = await setUp();
    expect(await lookUp(bob, { channelId: random })).toMatchObject({ isMember: false, problem: null });
    const channelId = slack.dmOf(alice);
    expect(await lookUp(alice, { channelId, needsMembership: true })).toMatchObject({ isMember: true });
    expect(slack.calls('conversations.members')).toEqual([]);
  });

  it('is told apart from none', async () => {
    const { lookUp } = await setUp();
    const asked = { channelId: random, needsMembership: true };
    expect(await lookUp(bob, asked)).toMatchObject({ isMember: true, problem: null });
    expect(await lookUp(carol, asked)).toMatchObject({ isMember: false, problem: null });
  });

  it('is found on a later page, reading no further', async () => {
    const crowd = Array.from({ length: 3_000 }, (_, index) => `U1${String(index).padStart(8, '0')}`);
    const { slack, lookUp } = await setUp();
    slack.changeChannel(general, {
      members: [SANDBOX.botUserId, ...crowd.slice(0, 1_500), bob, ...crowd.slice(1_500)],
    });
    expect(await lookUp(bob, { needsMembership: true })).toMatchObject({ isMember: true, problem: null });
    expect(slack.calls('conversations.members')).toHaveLength(2);
    expect(await lookUp(carol, { needsMembership: true })).toMatchObject({ isMember: false, problem: null });
  });

  it('of more people than can be looked through is none', async () => {
    const crowd = Array.from({ length: 9_990 }, (_, index) => `U1${String(index).padStart(8, '0')}`);
    const { slack, lookUp } = await setUp();
    slack.changeChannel(general, { members: [SANDBOX.botUserId, ...crowd, bob] });
    expect(await lookUp(bob, { needsMembership: true })).toMatchObject({
      isMember: false,
      problem: expect.stringContaining('whether you are a member of this channel'),
    });
    expect(slack.calls('conversations.members')).toHaveLength(10);
  });
});

describe('what fails counts against the person', () => {
  const everything = { groupIds: [finance], needsMembership: true };

  it('when Slack is slow, within the limit, and says one sentence', async () => {
    const { slack, lookUp } = await setUp({}, { limitMs: 150 });
    await lookUp(alice);
    for (const method of ['users.info', 'usergroups.users.list', 'conversations.members']) {
      slack.delayNext({ method, delayMs: 5_000 });
    }
    const before = performance.now();
    expect(await lookUp(bob, everything)).toEqual({
      userId: bob,
      ...NOBODY,
      groupIds: [],
      isMember: false,
      problem: TRY_AGAIN,
    });
    expect(performance.now() - before).toBeLessThan(1_500);
  });

  it('when Slack is late with one page of several', async () => {
    const crowd = Array.from({ length: 1_500 }, (_, index) => `U1${String(index).padStart(8, '0')}`);
    const { slack, lookUp } = await setUp({}, { limitMs: 300 });
    slack.changeChannel(general, { members: [...crowd, SANDBOX.botUserId, bob] });
    slack.delayNext({ method: 'conversations.members', delayMs: 200, times: 2 });
    expect(await lookUp(bob, everything)).toMatchObject({ ...MEMBER, isMember: false, problem: TRY_AGAIN });
  });

  it.each([
    ['503', { status: 503 }],
    ['a cut connection', { dropConnection: true }],
    ['an error of its own', { error: 'internal_error' }],
  ])('when Slack fails with %s', async (_name, fault) => {
    const { slack, lookUp } = await setUp();
    slack.failNext({ method: 'users.info', ...fault });
    expect(await lookUp(bob, everything)).toMatchObject({
      ...NOBODY,
      groupIds: [finance],
      isMember: true,
      problem: TRY_AGAIN,
    });
  });

  it('when Slack limits the call', async () => {
    const { slack, lookUp } = await setUp();
    slack.limitNext({ method: 'usergroups.users.list', retryAfterS: 30 });
    const asked = await lookUp(bob, everything);
    expect(asked).toMatchObject({
      ...MEMBER,
      groupIds: [],
      isKnown: false,
      problem: expect.stringMatching('in a minute'),
    });
  });

  it('when Slack shows nobody of this name', async () => {
    const { lookUp } = await setUp();
    expect(await lookUp('U0NOBODY01')).toMatchObject({
      ...NOBODY,
      problem: 'Slack did not say who you are (user_not_found). Please tell an admin.',
    });
  });

  it('when the app lacks scopes, and names them', async () => {
    const { lookUp } = await setUp({ scopes: ['chat:write'] });
    const { problem, ...person } = await lookUp(bob, everything);
    expect(person).toEqual({ userId: bob, ...NOBODY, groupIds: [], isMember: false });
    expect(problem).toContain('who you are: it lacks the scope users:read. Please tell an admin.');
    expect(problem).toContain('the scope usergroups:read.');
    expect(problem).toContain('the scope channels:read or groups:read');
  });

  it('when the bot does not know its own workspace', async () => {
    const slack = await createSandboxSlack();
    onTestFinished(() => slack.close());
    slack.failNext({ method: 'auth.test', status: 503 });
    const { lookUp } = peopleOf(slack.apiUrl);
    expect(await lookUp(alice)).toMatchObject({ ...NOBODY, problem: TRY_AGAIN });
    expect(await lookUp(alice)).toMatchObject(MEMBER);
  });

  it('when the answer has an odd shape', async () => {
    const fake = await startFakeSlack();
    onTestFinished(() => fake.close());
    fake.on('auth.test', () => ok({ team_id: 'T1', user_id: 'UBOT', bot_id: 'BBOT' }));
    fake.on('users.info', () => ok({ user: { id: 'U1', team_id: 'T2', enterprise_user: { teams: 7 } } }));
    fake.on('usergroups.users.list', () => ok({ users: 7 }));
    fake.on('conversations.members', () => ({ body: '<html>' }));
    const { lookUp } = peopleOf(fake.apiUrl);
    const person = { ...NOBODY, groupIds: [], isMember: false, problem: TRY_AGAIN };
    expect(await lookUp('U1', { groupIds: ['S1'], needsMembership: true })).toMatchObject(person);
  });

  it('without a token, a name or an answer in the log', async () => {
    const { slack, lookUp, logger } = await setUp({ scopes: [] });
    slack.failNext({ method: 'users.info', dropConnection: true });
    await lookUp(bob, everything);
    expect(logger.lines.map(({ event }) => event)).toContain('slack_person_not_known');
    expect(JSON.stringify(logger.lines)).not.toMatch(/xoxb|Bob|Baker/);
  });
});

describe('a server like Slack that knows none of this', () => {
  const all = { groupIds: ['S1'], needsMembership: true };

  it.each([
    ['refuses the methods as unknown', () => refuse('unknown_method')],
    ['has no such pages', () => ({ status: 404, body: 'Not Found' })],
    ['says ok to everything', () => ok({})],
  ])('has no guests, no groups and no outsiders when it %s', async (_name, answer) => {
    const fake = await startFakeSlack();
    onTestFinished(() => fake.close());
    fake.on('auth.test', () => ok({ team_id: 'T1', user_id: 'UBOT', bot_id: 'BBOT' }));
    for (const method of ['users.info', 'usergroups.users.list', 'conversations.members']) fake.on(method, answer);
    const { lookUp, logger } = peopleOf(fake.apiUrl);
    const person = { userId: 'U1', ...MEMBER, groupIds: [], isMember: true, isKnown: true };
    await lookUp('U1', all);
    expect(await lookUp('U1', all)).toEqual({ ...person, teamId: 'T1' });
    expect(logger.lines.map(({ level, event }) => [level, event])).toEqual(
      Array.from({ length: 3 }, () => ['warn', 'slack_has_no_such_method']),
    );
  });

  it('that names no teams has but one', async () => {
    const fake = await startFakeSlack();
    onTestFinished(() => fake.close());
    fake.on('auth.test', () => ok({ team_id: 'T1', user_id: 'UBOT', bot_id: 'BBOT' }));
    fake.on('users.info', () => ok({ user: { id: 'U1', name: 'u' } }));
    const { lookUp } = peopleOf(fake.apiUrl);
    expect(await lookUp('U1')).toMatchObject({ teamId: 'T1', isGuest: false, isExternal: false, problem: null });
  });
});

it('a method that Slack itself does not know counts against the person, whatever a server like it may lack', async () => {
  const logger = createMemoryLogger();
  const question = { method: 'users.info', about: 'who you are', failed: 'guest', notKnown: 'member' };
  const unknown = () =>
    Promise.reject(new SlackError('no', { code: 'slack_refused', retryable: false, slackCode: 'unknown_method' }));
  const strict = createAskSlack({ logger, limitMs: 500, isSlack: true });
  expect(await strict({ ...question, ask: unknown })).toMatchObject({ value: 'guest', problem: expect.any(String) });
  expect(await strict({ ...question, ask: async () => null })).toMatchObject({ value: 'guest' });
  const lenient = createAskSlack({ logger, limitMs: 500, isSlack: false });
  expect(await lenient({ ...question, ask: unknown })).toEqual({ value: 'member', problem: null });
});
