import { describe, expect, it } from 'vitest';
import type { FileSetup } from '../../src/sandbox/slack/files.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createAsked } from '../support/asked.ts';
import { shown, useStage } from './stage.ts';

const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PNG = Buffer.concat([PNG_HEAD, Buffer.alloc(64, 7)]);

const stage = useStage({ planner: { scenario: 'answer-only' } });
const asked = createAsked(stage);

const png = (file: Partial<FileSetup> = {}): FileSetup => ({
  name: 'a.png',
  mimetype: 'image/png',
  content: PNG,
  ...file,
});

/** What the planner was told of a request, with its words. */
const contentFor = (words: string) => asked.requestsFor(words)[0]?.messages.at(-1)?.content;

describe('an image of a request', () => {
  it('reaches the planner as image content, in order', async () => {
    const sent = await stage.slack.mention({ text: 'two images', files: [png(), png({ name: 'b.png' })] });
    await asked.answered(sent);
    const url = `data:image/png;base64,${PNG.toString('base64')}`;
    expect(contentFor('two images')).toMatchObject([
      { type: 'text', text: 'two images' },
      { type: 'image_url', image_url: { url } },
      { type: 'image_url', image_url: { url } },
    ]);
    expect(asked.inThread(sent)).toHaveLength(2);
  });

  it('is enough of a request by itself, mentioned or written directly', async () => {
    const sent = await stage.slack.directMessage({ text: '', files: [png()] });
    await asked.answered(sent);
    const mentioned = await stage.slack.mention({ text: '', files: [png()] });
    await asked.answered(mentioned);
    await stage.slack.mention({ text: 'after images alone', threadTs: mentioned.ts });
    await asked.answered(mentioned, 2);
    const [prior] = asked.requestsFor('after images alone')[0]?.messages ?? [];
    expect(prior?.content).toBe('(a request of images only)');
  });

  it('of a shared channel is looked up first', async () => {
    const { shared } = SANDBOX.channels;
    const file = png({ access: 'check_file_info' });
    const sent = await stage.slack.mention({
      channel: shared,
      user: SANDBOX.users.dave,
      text: 'shared image',
      files: [file],
    });
    await asked.answered(sent);
    expect(contentFor('shared image')).toMatchObject([{ type: 'text' }, { type: 'image_url' }]);
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['is a login page', png({ name: 'login.png', download: 'login_page' }), 'login page'],
    [
      'is a login page served as an image',
      png({ name: 'html.png', content: '<!DOCTYPE html><html></html>' }),
      'login page',
    ],
    ['is no image', { name: 'notes.pdf', mimetype: 'application/pdf', content: '%PDF-1.7' }, 'is not a PNG'],
    ['only says that it is an image', png({ name: 'fake.png', content: 'just words, no picture' }), 'is not a PNG'],
    ['says that it is too large', png({ name: 'big.png', reportedSize: 21 * 1024 * 1024 }), '20 MB'],
    [
      'is larger than it says',
      png({ name: 'liar.png', reportedSize: 80, content: Buffer.concat([PNG_HEAD, Buffer.alloc(20 * 1024 * 1024)]) }),
      '20 MB',
    ],
    ['is empty', png({ name: 'empty.png', content: '' }), 'is empty'],
    ['is gone', png({ name: 'gone.png', download: 'missing' }), 'was deleted'],
    ['stands elsewhere', png({ name: 'foreign.png', download: 'redirect' }), 'is not stored in Slack'],
    ['has a hostile name', png({ name: '<!channel> `x`\u0000\u202e.png', content: 'x' }), 'is not a PNG'],
  ] as const)('because it %s is named in the thread, and the run goes on', async (why, file, reason) => {
    const sent = await stage.slack.mention({ text: `file ${why}`, files: [file] });
    await asked.answered(sent);
    const notice = await stage.slack.waitFor(() =>
      asked.inThread(sent).find((message) => shown(message).includes('I go on without')),
    );
    expect(shown(notice)).toContain(reason);
    if (!file.name.startsWith('<')) expect(shown(notice)).toContain(file.name);
    expect(stage.slack.pings(notice)).toEqual([]);
    expect(contentFor(`file ${why}`)).toBe(`file ${why}`);
    expect(asked.inThread(sent)).toHaveLength(3);
  });

  it('never has the token sent to a foreign host', async () => {
    expect(stage.slack.foreignRequests()).toEqual([]);
  });

  it('does not keep the good ones from the planner', async () => {
    const files = [png({ download: 'missing', name: 'bad.png' }), png()];
    const sent = await stage.slack.mention({ text: 'one good one bad', files });
    await asked.answered(sent);
    expect(contentFor('one good one bad')).toMatchObject([{ type: 'text' }, { type: 'image_url' }]);
  });

  it('when it was all there was, still ends in an answer or a plain message', async () => {
    const sent = await stage.slack.directMessage({ text: '', files: [png({ download: 'missing', name: 'only.png' })] });
    await stage.slack.waitFor(() => asked.inThread(sent).some((message) => shown(message).includes('only.png')));
    await asked.answered(sent);
    expect(contentFor('only.png')).toBe('I sent you files: only.png was deleted.');
  });
});
