import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { openEmbeddedPool } from '../../src/store/connection/embedded.ts';
import { createPausedRuns, questionScript } from '../support/paused-runs.ts';
import { hasButtons } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob, dave } = SANDBOX.users;
const { general, random, shared } = SANDBOX.channels;
const MONTHS = questionScript({ question: 'Which month?', options: ['May', 'June'] });

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

type Forged = {
  value: string;
  actionId?: string;
  user?: string;
  channel?: string;
  messageTs?: string;
  threadTs?: string;
};

/** Once the bot knows where the card stands: until then a click may come from anywhere in its thread. */
async function ask(words: string) {
  const thread = await paused.ask(words, MONTHS);
  await stage.slack.waitFor(() => stage.slack.calls('chat.postMessage').every(({ status }) => status !== null));
  return thread;
}

/** A click as Slack would sign it, with whatever in it. */
function forgeClick({
  value,
  actionId = 'answer_option_0',
  user = alice,
  channel = general,
  messageTs = '1.000001',
  threadTs = messageTs,
}: Forged) {
  const payload = {
    type: 'block_actions',
    user: { id: user, team_id: SANDBOX.teamId },
    team: { id: SANDBOX.teamId },
    container: {
      type: 'message',
      message_ts: messageTs,
      channel_id: channel,
      thread_ts: threadTs,
      is_ephemeral: false,
    },
    channel: { id: channel },
    message: { ts: messageTs },
    trigger_id: stage.slack.issueTrigger(user),
    actions: [{ type: 'button', action_id: actionId, block_id: 'b', value, action_ts: '1.000002' }],
  };
  return post(payload);
}

function forgeSubmission(metadata: unknown, { user = alice, text = 'forged' }: { user?: string; text?: string } = {}) {
  return post({
    type: 'view_submission',
    user: { id: user, team_id: SANDBOX.teamId },
    team: { id: SANDBOX.teamId },
    view: {
      id: 'V1',
      type: 'modal',
      callback_id: 'answer_modal',
      private_metadata: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
      state: { values: { answer_block: { answer_input: { type: 'plain_text_input', value: text } } } },
    },
  });
}

function post(payload: object) {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...stage.slack.sign(body) };
  return stage.slack.deliverRaw({ body, headers });
}

/** What the modal of a card carries, as Slack would give it back. */
async function modalMetadata(messageTs: string): Promise<Record<string, string>> {
  await stage.slack.click({ messageTs, text: 'Answer…' });
  const [view] = await stage.slack.waitFor(() => {
    const open = stage.slack.openViews(alice);
    return open.length > 0 ? open : null;
  });
  await stage.slack.closeView({});
  return JSON.parse(String(view?.view.private_metadata));
}

const pauseIdOf = (messageTs: string): string => {
  const button = stage.slack
    .everything()
    .find(({ ts }) => ts === messageTs)
    ?.blocks.flatMap((block) => (Array.isArray(block.elements) ? block.elements : []))
    .find((element) => element.action_id === 'answer_option_0');
  return String(button?.value);
};

describe('a click that is not what it seems', () => {
  it.each([
    '',
    'nothing',
    "' or 1=1 --",
    '00000000-0000-4000-8000-000000000000',
    'a\u0000b',
    '\ud800',
    'x'.repeat(2_000),
  ])('on a pause that does not exist (%j) is acknowledged and answered privately', async (value) => {
    for (const actionId of [
      'answer_option_0',
      'answer_open',
      'answer_select',
      'stop_run',
      'resume_run',
      'answer_option_99999',
      'older_button',
    ]) {
      const before = paused.whispersTo(alice).length;
      expect(await forgeClick({ value, actionId })).toMatchObject({ acked: true });
      await stage.slack.waitFor(() => paused.whispersTo(alice, before).length === 1);
      expect(paused.whispersTo(alice, before)[0]).toContain('no longer belongs to anything I know');
    }
  });

  it('from another channel, another message, or an option that was not offered decides nothing', async () => {
    const thread = await ask('elsewhere');
    const { ts: messageTs } = paused.cardOf(thread);
    const value = pauseIdOf(messageTs);
    const before = paused.whispersTo(alice).length;
    await forgeClick({ value, channel: random, messageTs });
    await forgeClick({ value, messageTs: thread.ts });
    await forgeClick({ value, messageTs, threadTs: thread.ts, actionId: 'answer_option_7' });
    await stage.slack.waitFor(() => paused.whispersTo(alice, before).length === 3);
    expect(hasButtons(paused.cardOf(thread))).toBe(true);
    expect(paused.cardOf(thread).versions).toHaveLength(1);
    await stage.slack.click({ messageTs, text: 'May' });
    await paused.answered(thread, 'Heard: May');
    expect(paused.requestsFor('elsewhere')).toHaveLength(2);
  });

  it('of a partner in a shared channel is refused visibly, and the requester from there can decide', async () => {
    const { slack } = stage;
    stage.planner.use(MONTHS, { times: 1, match: 'shared-room' });
    const thread = await slack.mention({ user: dave, text: 'shared-room', channel: shared });
    await slack.waitFor(() => paused.cardsOf(thread).length === 1);
    const { ts: messageTs } = paused.cardOf(thread);
    const before = paused.whispersTo(alice).length;
    await slack.click({ user: alice, channel: shared, messageTs, text: 'May' });
    await slack.waitFor(() => paused.whispersTo(alice, before).some((text) => text.includes(`Only <@${dave}>`)));
    await slack.click({ user: dave, channel: shared, messageTs, text: 'June' });
    await paused.answered(thread, 'Heard: June');
  });
});

describe('a modal that is not what it seems', () => {
  it.each(['', '{', 'null', '[]', '{"pauseId":"x"}', '{"pauseId":1,"termsDigest":{},"channelId":[],"messageTs":null}'])(
    'with the metadata %j is told that it belongs to nothing',
    async (metadata) => {
      const answer = await forgeSubmission(metadata);
      expect(answer.acked).toBe(true);
      expect(JSON.stringify(answer.body)).toContain('no longer belongs');
    },
  );

  it('for another channel, message, pause or person decides nothing', async () => {
    const thread = await ask('tampered');
    const metadata = await modalMetadata(paused.cardOf(thread).ts);
    for (const change of [{ channelId: random }, { messageTs: thread.ts }, { pauseId: 'other' }]) {
      const answer = await forgeSubmission({ ...metadata, ...change });
      expect(JSON.stringify(answer.body)).toContain('no longer belongs');
    }
    expect(JSON.stringify((await forgeSubmission(metadata, { user: bob })).body)).toContain(`Only <@${alice}>`);
    expect(paused.cardOf(thread).versions).toHaveLength(1);
    await forgeSubmission(metadata, { text: 'true' });
    await paused.answered(thread, 'Heard: true');
    expect(paused.requestsFor('tampered')).toHaveLength(2);
  });

  it('with other terms than the pause has now is refused, and shows the terms as they are', async () => {
    const thread = await ask('changed-terms');
    const metadata = await modalMetadata(paused.cardOf(thread).ts);
    const refused = await forgeSubmission({ ...metadata, termsDigest: 'f'.repeat(64) });
    const shown = JSON.stringify(refused.body);
    expect(refused.acked).toBe(true);
    expect(shown).toContain('has changed');
    expect(shown).toContain('Which month?');
    expect(shown).toContain('answer_input');
    expect(hasButtons(paused.cardOf(thread))).toBe(true);
    expect(paused.requestsFor('changed-terms')).toHaveLength(1);
    const { private_metadata } = (refused.body as { view: { private_metadata: string } }).view;
    await forgeSubmission(private_metadata, { text: 'then June' });
    await paused.answered(thread, 'Heard: then June');
  });

  it('sent twice at once decides once', async () => {
    const thread = await ask('double-submit');
    const metadata = await modalMetadata(paused.cardOf(thread).ts);
    const answers = await Promise.all([1, 2, 3].map(() => forgeSubmission(metadata, { text: 'only once' })));
    expect(answers.filter(({ body }) => JSON.stringify(body).includes('has already answered'))).toHaveLength(2);
    await paused.answered(thread, 'Heard: only once');
    expect(paused.requestsFor('double-submit')).toHaveLength(2);
  });
});

describe('the audit log', () => {
  it('holds what was asked and shown, who was refused and who decided', async () => {
    const thread = await ask('audited');
    const { ts: messageTs } = paused.cardOf(thread);
    const pauseId = pauseIdOf(messageTs);
    const before = paused.whispersTo(bob).length;
    await stage.slack.click({ user: bob, messageTs, text: 'June' });
    await stage.slack.waitFor(() => paused.whispersTo(bob, before).length === 1);
    await forgeClick({ value: pauseId, channel: random, messageTs });
    await stage.slack.click({ messageTs, text: 'May' });
    await paused.answered(thread, 'Heard: May');
    await stage.stopBot();
    const pool = await openEmbeddedPool({ dataDir: stage.dataDir, logger: pino({ level: 'silent' }) });
    const sql = 'select kind, actor_id, reason from steward.audit where pause_id = $1 order by seq';
    const { rows } = await pool.query(sql, [pauseId]);
    await pool.end();
    expect(rows).toEqual([
      { kind: 'pause_opened', actor_id: null, reason: 'clarification' },
      { kind: 'card_shown', actor_id: null, reason: 'revision 1' },
      { kind: 'click_refused', actor_id: bob, reason: 'not the requester' },
      { kind: 'click_refused', actor_id: alice, reason: 'not where the card stands' },
      { kind: 'decided', actor_id: alice, reason: 'option' },
      { kind: 'card_shown', actor_id: null, reason: 'revision 2' },
    ]);
  });
});
