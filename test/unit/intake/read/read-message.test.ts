import { describe, expect, it } from 'vitest';
import { classify, commandKey } from '../../../../src/intake/inbox/classify.ts';
import { readMessage } from '../../../../src/intake/read/read-message.ts';
import { BOT, commandBody, directEvent, eventBody, mentionEvent, messageEvent } from '../fakes/payloads.ts';

const read = (event: Record<string, unknown>, envelope = {}, bot: string | null = null) =>
  readMessage(eventBody(event, envelope), bot);
const request = (event: Record<string, unknown>, envelope = {}, bot: string | null = null) => {
  const reading = read(event, envelope, bot);
  if (reading.kind !== 'request') throw new Error(`read as ${reading.kind}`);
  return reading.request;
};
const UNKNOWN_BOT = { authorizations: [] };

describe('readMessage', () => {
  it('reads a mention as a request in its own thread', () => {
    expect(request(mentionEvent())).toEqual({
      requestKey: 'msg:T1:C1:1700000000.000100',
      thread: { teamId: 'T1', channelId: 'C1', threadTs: '1700000000.000100' },
      isReply: false,
      actorId: 'U1',
      requestTs: '1700000000.000100',
      source: 'mention',
      text: 'plan the launch',
      files: [],
    });
  });

  it('reads the message event of a mention as the very same request', () => {
    expect(request(messageEvent())).toEqual(request(mentionEvent()));
  });

  it('takes a mention in a thread as a reply in that thread', () => {
    const found = request(mentionEvent({ thread_ts: '1600000000.000001' }));
    expect(found).toMatchObject({ isReply: true, thread: { threadTs: '1600000000.000001' }, source: 'mention' });
  });

  it("does not take a thread's first message for a reply", () => {
    expect(request(mentionEvent({ thread_ts: '1700000000.000100' })).isReply).toBe(false);
  });

  it('takes everything a person says in a direct message', () => {
    expect(request(directEvent())).toMatchObject({ source: 'direct_message', text: 'plan the launch' });
    expect(request(directEvent({ thread_ts: '1600000000.000001' }))).toMatchObject({ isReply: true });
  });

  it('takes a reply without a mention as a reply, and leaves other talk alone', () => {
    expect(request(messageEvent({ text: 'blue', thread_ts: '1600000000.000001' })).source).toBe('reply');
    expect(read(messageEvent({ text: 'lunch?' })).kind).toBe('ignored');
    expect(read(messageEvent({ text: '<@UOTHER> lunch?' })).kind).toBe('ignored');
  });

  it.each(['channel', 'group', 'mpim'])('counts a mention in a %s message', (type) => {
    expect(request(messageEvent({ channel_type: type })).source).toBe('mention');
  });

  it.each(['file_share', 'thread_broadcast'])('counts the subtype %s as a message', (subtype) => {
    expect(request(messageEvent({ subtype })).source).toBe('mention');
  });

  it.each([
    ['a bot', { bot_id: 'B2' }],
    ['a bot profile', { bot_profile: { id: 'B2' } }],
    ['Steward itself', { user: BOT }],
    ['Slackbot', { user: 'USLACKBOT' }],
    ['nobody', { user: undefined }],
    ['bot_message', { subtype: 'bot_message' }],
    ['a join', { subtype: 'channel_join' }],
    ['an edit', { subtype: 'message_changed', message: { ts: '1', text: `<@${BOT}> x`, user: 'U1' } }],
  ])('ignores a message of %s', (_who, changes) => {
    expect(read(messageEvent(changes)).kind).toBe('ignored');
    expect(read(directEvent(changes)).kind).toBe('ignored');
    expect(read({ ...mentionEvent(), ...changes }).kind).toBe('ignored');
  });

  it('reads a deletion, also when the first message of a thread leaves a tombstone', () => {
    const deleted = { kind: 'deletion', deletionKey: 'del:T1:C1:1.5', channelId: 'C1', requestTs: '1.5' };
    const event = { type: 'message', channel: 'C1', ts: '2.0' };
    expect(read({ ...event, subtype: 'message_deleted', deleted_ts: '1.5' })).toEqual(deleted);
    const message = { subtype: 'tombstone', ts: '1.5', user: 'USLACKBOT' };
    expect(read({ ...event, subtype: 'message_changed', message })).toEqual(deleted);
  });

  it('counts an app_mention even when the text does not show it', () => {
    expect(request(mentionEvent({ text: '`@Steward` look' }))).toMatchObject({ source: 'mention' });
  });

  it('leaves a channel message undecided while it is not known who the bot is', () => {
    expect(read(messageEvent(), UNKNOWN_BOT)).toEqual({
      kind: 'undecided',
      undecidedKey: 'maybe:T1:C1:1700000000.000100',
    });
    expect(request(messageEvent(), UNKNOWN_BOT, BOT).source).toBe('mention');
    expect(read(messageEvent({ text: 'lunch?' }), UNKNOWN_BOT).kind).toBe('ignored');
    expect(request(mentionEvent(), UNKNOWN_BOT).text).toBe('plan the launch');
  });

  it('takes the team that installed the app, and the enterprise where there is no team', () => {
    const team = (authorization: object, rest = {}) =>
      request(mentionEvent(), { authorizations: [{ is_bot: true, user_id: BOT, ...authorization }], ...rest }).thread
        .teamId;
    expect(team({ team_id: 'T9' })).toBe('T9');
    expect(team({ team_id: null })).toBe('T1');
    expect(team({ team_id: null, enterprise_id: 'E1' }, { team_id: null })).toBe('E1');
  });

  it('reads attached files', () => {
    const files = [
      {
        id: 'F1',
        name: 'a.png',
        mimetype: 'image/png',
        size: 12,
        url_private: 'https://f/a',
        url_private_download: 'https://f/d',
      },
      { id: 'F2', file_access: 'check_file_info' },
      { id: 'F3', name: 'b.png', mimetype: 'image/png', size: 3, url_private: 'https://f/b' },
      'garbage',
    ];
    expect(request(directEvent({ subtype: 'file_share', files })).files).toEqual([
      {
        id: 'F1',
        name: 'a.png',
        mimetype: 'image/png',
        sizeBytes: 12,
        urlPrivateDownload: 'https://f/d',
        needsInfo: false,
      },
      {
        id: 'F2',
        name: 'F2',
        mimetype: 'application/octet-stream',
        sizeBytes: 0,
        urlPrivateDownload: null,
        needsInfo: true,
      },
      {
        id: 'F3',
        name: 'b.png',
        mimetype: 'image/png',
        sizeBytes: 3,
        urlPrivateDownload: 'https://f/b',
        needsInfo: false,
      },
    ]);
  });

  it.each([null, 1, 'x', [], {}, { event: null }, { event: { type: 'message' } }, { event: [], team_id: 'T1' }])(
    'ignores what is no event of ours: %j',
    (body) => {
      expect(readMessage(body, BOT).kind).toBe('ignored');
      expect(classify(body, BOT)).toBeNull();
    },
  );
});

describe('the text of a request', () => {
  it.each([
    [`<@${BOT}>`, ''],
    [`  <@${BOT}|steward>:  plan`, 'plan'],
    [`<@${BOT}> <@${BOT}> plan`, 'plan'],
    [`ask <@${BOT}> to plan`, 'ask @Steward to plan'],
    [`<@${BOT}> tell <@U2> that 1 &lt; 2 &amp;&amp; 3 &gt; 2`, 'tell <@U2> that 1 < 2 && 3 > 2'],
    [`<@${BOT}> show &amp;lt; as is`, 'show &lt; as is'],
    [`<@${BOT}> see <https://a.b/c|this>`, 'see this (https://a.b/c)'],
    [`<@${BOT}> see <https://a.b/@c/d?e=1&amp;f=2>`, 'see https://a.b/@c/d?e=1&f=2'],
    [`<@${BOT}> see <http://a.b/|a.b> and <mailto:x@a.b|x@a.b>`, 'see http://a.b/ and x@a.b'],
    [`<@${BOT}> look in <#C1|general>, \`&lt;https://a.b&gt;\``, 'look in #general, `<https://a.b>`'],
  ])('reads %j', (text, expected) => {
    expect(request(mentionEvent({ text })).text).toBe(expected);
  });
});

describe('classify', () => {
  it('gives the two deliveries of one mention one key', () => {
    const keys = [mentionEvent(), messageEvent()].map((event) => classify(eventBody(event), null)?.key);
    expect(keys).toEqual(['msg:T1:C1:1700000000.000100', 'msg:T1:C1:1700000000.000100']);
  });

  it('keys a command by its trigger and its contents', () => {
    const entry = classify(commandBody(), null);
    expect(entry).toMatchObject({ key: expect.stringMatching(/^cmd:[0-9a-f]{64}$/), kind: 'command' });
    expect(commandKey(commandBody())).toBe(entry?.key);
    expect(commandKey(commandBody({ trigger_id: 'another' }))).not.toBe(entry?.key);
    expect(commandKey(commandBody({ text: 'other' }))).not.toBe(entry?.key);
  });

  it('keeps no row for clicks and modals', () => {
    expect(classify({ type: 'block_actions', actions: [{}], user: { id: 'U1' } }, BOT)).toBeNull();
    expect(classify({ type: 'view_submission', view: {}, user: { id: 'U1' } }, BOT)).toBeNull();
  });
});
