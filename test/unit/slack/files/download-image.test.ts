import type { ServerResponse } from 'node:http';
import { WebClient } from '@slack/web-api';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RequestFile } from '../../../../src/domain/run.ts';
import { downloadImage } from '../../../../src/slack/files/download-image.ts';
import { mayDownloadFrom } from '../../../../src/slack/files/file-request.ts';
import { ok, refuse, startFakeSlack } from '../fake-slack.ts';
import { createMemoryLogger } from '../memory-logger.ts';
import { setupChat, TOKEN } from '../setup-chat.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64, 7)]);
const MEGABYTE = 1024 * 1024;

const fileAt = (url: string | null, over: Partial<RequestFile> = {}): RequestFile => ({
  id: 'F1',
  name: 'chart.png',
  mimetype: 'image/png',
  sizeBytes: PNG.length,
  urlPrivateDownload: url,
  needsInfo: false,
  ...over,
});

type Respond = (response: ServerResponse) => void;
const sendPng: Respond = (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
const redirectTo =
  (location: string): Respond =>
  (response) =>
    void response.writeHead(302, { location }).end();

/** Downloads `/file` from a server that answers like this. */
async function download(respond: Respond, over: Partial<RequestFile> = {}) {
  const stage = await setupChat();
  const authorizations: Array<string | undefined> = [];
  stage.slack.serve('/file', (request, response) => {
    authorizations.push(request.headers.authorization);
    respond(response);
  });
  const result = await stage.chat.downloadImage(fileAt(`${stage.slack.origin}/file`, over));
  return { ...stage, result, authorizations };
}

describe('an image of a request', () => {
  it('is downloaded with the bot’s token, as a data URL', async () => {
    const { result, authorizations } = await download(sendPng);

    expect(result).toMatchObject({ dataUrl: `data:image/png;base64,${PNG.toString('base64')}` });
    expect(authorizations).toEqual([`Bearer ${TOKEN}`]);
  });

  it.each([
    ['image/jpeg', Buffer.from('ffd8ffe000104a4649460001', 'hex')],
    ['image/gif', Buffer.from('GIF89a______')],
    ['image/webp', Buffer.from('RIFF____WEBP')],
  ])('is what its bytes say: %s', async (type, bytes) => {
    const { result } = await download((response) => void response.writeHead(200).end(bytes));

    expect(result).toMatchObject({ dataUrl: expect.stringContaining(`data:${type};base64,`) });
  });

  it('is described by files.info first when Slack says so', async () => {
    const stage = await setupChat();
    stage.slack.serve('/file', (_request, response) => sendPng(response));
    stage.slack.on('files.info', ({ args }) =>
      ok({
        file: {
          id: args.file,
          name: 'shared.png',
          mimetype: 'image/png',
          size: 72,
          url_private_download: `${stage.slack.origin}/file`,
        },
      }),
    );

    const result = await stage.chat.downloadImage(fileAt(null, { needsInfo: true, name: '', mimetype: '' }));

    expect(result).toMatchObject({ file: { name: 'shared.png' }, dataUrl: expect.any(String) });
  });

  it('follows redirects that stay with Slack', async () => {
    const { slack, chat } = await setupChat();
    slack.serve('/moved', (_request, response) => redirectTo('/file')(response));
    slack.serve('/file', (_request, response) => sendPng(response));

    expect(await chat.downloadImage(fileAt(`${slack.origin}/moved`))).toHaveProperty('dataUrl');
  });
});

describe('a file that cannot be used is told in a sentence', () => {
  it('that is no image by its type, without a download', async () => {
    const { result, authorizations } = await download(sendPng, { name: 'notes.pdf', mimetype: 'application/pdf' });

    expect(result).toMatchObject({ problem: 'notes.pdf is not a PNG, JPEG, GIF or WebP image.' });
    expect(authorizations).toEqual([]);
  });

  it('that is no image by its bytes', async () => {
    const { result } = await download(
      (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('%PDF-1.7 and so on'),
    );

    expect(result).toMatchObject({ problem: expect.stringContaining('is not a PNG') });
  });

  it.each([
    ['by its type', { 'content-type': 'text/html; charset=utf-8' }],
    ['by its bytes', { 'content-type': 'image/png' }],
  ])('that is a login page %s', async (_how, headers) => {
    const { result } = await download(
      (response) => void response.writeHead(200, headers).end('<!DOCTYPE html><html><title>Slack</title></html>'),
    );

    expect(result).toMatchObject({ problem: expect.stringContaining('files:read') });
  });

  it('that Slack answers with a redirect to its login', async () => {
    const { result } = await download(redirectTo('https://acme.slack.com/?redir=%2Ffiles-pri'));

    expect(result).toMatchObject({ problem: expect.stringContaining('files:read') });
  });

  it('that is said to be too large, without a download', async () => {
    const { result, authorizations } = await download(sendPng, { sizeBytes: 20 * MEGABYTE + 1 });

    expect(result).toMatchObject({ problem: expect.stringContaining('larger than 20 MB') });
    expect(authorizations).toEqual([]);
  });

  it('that turns out too large, without reading it to its end', async () => {
    let sentBytes = 0;
    let ended: () => void = () => {};
    const hungUp = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const { result } = await download((response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.on('close', ended);
      const chunk = Buffer.concat([PNG.subarray(0, 8), Buffer.alloc(MEGABYTE)]);
      const pump = (): void => {
        while (sentBytes < 200 * MEGABYTE && !response.destroyed) {
          sentBytes += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', pump);
        }
      };
      pump();
    });
    await hungUp;

    expect(result).toMatchObject({ problem: expect.stringContaining('larger than 20 MB') });
    expect(sentBytes).toBeLessThan(60 * MEGABYTE);
  });

  it('that is as large as allowed is read', async () => {
    const { result } = await download(
      (response) => void response.writeHead(200).end(Buffer.concat([PNG, Buffer.alloc(20 * MEGABYTE - PNG.length)])),
    );

    expect(result).toHaveProperty('dataUrl');
  });

  it.each([
    [403, 'may not be read'],
    [404, 'was deleted'],
    [500, 'could not be read'],
  ])('that Slack answers with HTTP %d', async (status, words) => {
    const { result } = await download((response) => void response.writeHead(status).end());

    expect(result).toMatchObject({ problem: expect.stringContaining(words) });
  });

  it('that is empty', async () => {
    const { result } = await download((response) => void response.writeHead(200).end());

    expect(result).toMatchObject({ problem: 'chart.png is empty.' });
  });

  it('whose download breaks off', async () => {
    const { result } = await download((response) => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write(PNG, () => response.destroy());
    });

    expect(result).toMatchObject({ problem: expect.stringContaining('could not be read') });
  });

  it('that takes too long', async () => {
    const slack = await startFakeSlack();
    onTestFinished(() => slack.close());
    slack.serve('/file', () => {});
    const source = { token: TOKEN, apiUrl: slack.apiUrl, client: new WebClient(TOKEN), logger: createMemoryLogger() };

    const result = await downloadImage({ ...source, timeoutMs: 20 }, fileAt(`${slack.origin}/file`));

    expect(result).toMatchObject({ problem: expect.stringContaining('in time') });
  });

  it.each([
    [{ mode: 'tombstone' }, 'was deleted'],
    [{ mode: 'hidden_by_limit' }, 'is hidden'],
    [{ file_access: 'access_denied' }, 'may not be read'],
  ])('that Slack describes as %o', async (details, words) => {
    const { slack, chat } = await setupChat();
    slack.on('files.info', () => ok({ file: { id: 'F1', ...details } }));

    expect(await chat.downloadImage(fileAt(null))).toMatchObject({ problem: expect.stringContaining(words) });
  });

  it('that Slack does not describe', async () => {
    const { slack, chat } = await setupChat();
    slack.on('files.info', () => refuse('file_not_found'));

    expect(await chat.downloadImage(fileAt(null))).toMatchObject({ problem: 'chart.png was deleted.' });
  });

  it('with a name that cannot break the sentence', async () => {
    const { result } = await download(sendPng, { name: `a\n\tb${'x'.repeat(300)}`, mimetype: 'text/plain' });

    expect(result).toMatchObject({ problem: `a b${'x'.repeat(97)}… is not a PNG, JPEG, GIF or WebP image.` });
  });
});

describe('the bot’s token', () => {
  it('does not follow a redirect to another host', async () => {
    const other = await startFakeSlack();
    onTestFinished(() => other.close());
    const asked: unknown[] = [];
    other.serve('/stolen', (request, response) => {
      asked.push(request.headers);
      sendPng(response);
    });

    const { result } = await download(redirectTo(`${other.origin}/stolen`));

    expect(result).toMatchObject({ problem: expect.stringContaining('not stored in Slack') });
    expect(asked).toEqual([]);
  });

  it('stops at the fourth redirect', async () => {
    const { result, authorizations } = await download(redirectTo('/file'));

    expect(result).toMatchObject({ problem: expect.stringContaining('too often') });
    expect(authorizations).toHaveLength(4);
  });

  it('stays out of the log', async () => {
    const { logger } = await download((response) => response.destroy());

    expect(logger.lines).not.toEqual([]);
    expect(JSON.stringify(logger.lines)).not.toContain('xoxb');
  });

  it.each([
    ['https://files.slack.com/files-pri/T1-F1/download/a.png', true],
    ['https://files-origin.slack.com/files-pri/T1-F1/a.png', true],
    ['https://slack-files.com/T1-F1-abc', true],
    ['http://files.slack.com/files-pri/T1-F1/a.png', false],
    ['http://slack.com/files/a.png', false],
    ['https://files.slack.com:8443/a.png', false],
    ['https://files.slack.com.evil.example/a.png', false],
    ['https://evilslack-files.com/a.png', false],
    ['https://files.slack.com@evil.example/a.png', false],
    ['https://acme.slack.com/a.png', false],
    ['https://evil.example/files.slack.com', false],
    ['file:///etc/passwd', false],
  ])('may be sent to %s: %s', (url, allowed) => {
    expect(mayDownloadFrom(new URL(url), 'https://slack.com/api/')).toBe(allowed);
  });
});
