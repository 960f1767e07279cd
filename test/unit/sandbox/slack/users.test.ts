import { LogLevel, WebClient } from '@slack/web-api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX } from '../../../../src/sandbox/slack/setup.ts';

const { alice, bob, carol, dave } = SANDBOX.users;

async function start() {
  const slack = await createSandboxSlack();
  onTestFinished(() => slack.close());
  const client = new WebClient(SANDBOX.botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logLevel: LogLevel.ERROR,
  });
  return { slack, client };
}

describe('users', () => {
  const about = async (setup: Awaited<ReturnType<typeof start>>, user: string) =>
    (await setup.client.users.info({ user })).user;

  it('are guests of some channels or of one', async () => {
    const started = await start();
    started.slack.changeUser(bob, { guest: 'single_channel' });
    expect(await about(started, carol)).toMatchObject({ is_restricted: true, is_ultra_restricted: false });
    expect(await about(started, bob)).toMatchObject({ is_restricted: true, is_ultra_restricted: true });
    expect(await about(started, alice)).toMatchObject({ is_restricted: false, team_id: SANDBOX.teamId });
  });

  it('of another workspace are strangers once no channel is shared with them', async () => {
    const started = await start();
    expect(await about(started, dave)).toMatchObject({ is_stranger: false, team_id: SANDBOX.partnerTeamId });
    started.slack.changeChannel(SANDBOX.channels.shared, { members: [SANDBOX.botUserId] });
    expect(await about(started, dave)).toMatchObject({ is_stranger: true });
  });

  it('of an Enterprise organisation name their workspaces', async () => {
    const started = await start();
    started.slack.changeUser(bob, { teamId: 'T0HOME0001', enterpriseTeams: [SANDBOX.teamId] });
    const user = await about(started, bob);
    expect(user).toMatchObject({ team_id: 'T0HOME0001', enterprise_user: { teams: [SANDBOX.teamId] } });
    expect(user).not.toHaveProperty('is_stranger');
  });

  it('are shown when deactivated, and not when there are none of this id', async () => {
    const started = await start();
    started.slack.changeUser(bob, { deleted: true });
    expect(await about(started, bob)).toMatchObject({ deleted: true });
    await expect(about(started, 'U0NOBODY01')).rejects.toThrow('user_not_found');
  });

  it('join and leave groups', async () => {
    const { slack, client } = await start();
    slack.setUserGroup('S0BOARD001', [alice, bob]);
    slack.setUserGroup('S0BOARD001', [alice]);
    expect(await client.usergroups.users.list({ usergroup: 'S0BOARD001' })).toMatchObject({ users: [alice] });
  });
});
