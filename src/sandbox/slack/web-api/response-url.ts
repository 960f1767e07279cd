import type { Echo } from '../delivery/echo.ts';
import type { SandboxMessage } from '../history.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { ResponseOrigin } from '../response-urls.ts';
import type { SandboxState } from '../state.ts';
import type { HttpAnswer } from './answer-call.ts';
import { booleanArg, stringArg } from './args.ts';
import { botAuthor } from './chat.ts';
import { isEmpty, readContent } from './content.ts';

type Response = { state: SandboxState; echo: Echo; origin: ResponseOrigin; body: Json };

function sourceMessage({ state, origin }: Response): SandboxMessage {
  const ts = origin.messageTs;
  const message = ts === null ? undefined : state.history.find({ channel: origin.channel, ts, ephemeral: true });
  if (message === undefined) throw new Refusal('message_not_found');
  return message;
}

function readResponse({ state, body }: Response) {
  const { markdown_text: _ignored, ...args } = body;
  const content = readContent(args, state);
  if (isEmpty(content)) throw new Refusal('no_text');
  return { text: content.text ?? '', blocks: content.blocks ?? [] };
}

function replaceSource(response: Response): void {
  const { state, echo } = response;
  const before = sourceMessage(response);
  const edited = { user: state.setup.bot.userId, ts: state.ids.nextTs() };
  const after = state.history.edit(before, { ...readResponse(response), edited });
  if (before.ephemeralFor === null) echo.changed(after, before);
}

function deleteSource(response: Response): void {
  const message = sourceMessage(response);
  response.state.history.remove(message);
  if (message.ephemeralFor === null) response.echo.deleted(message);
}

/** Posts a new message: ephemeral to the person who acted, unless `response_type` is `in_channel`. */
export function postResponse(response: Response): void {
  const { state, echo, origin, body } = response;
  const inChannel = body.response_type === 'in_channel';
  const threadTs = stringArg(body, 'thread_ts') ?? (inChannel ? null : origin.threadTs);
  const place = { channel: origin.channel, ts: state.ids.nextTs(), threadTs };
  const message = state.history.add({
    ...botAuthor(state),
    ...place,
    ...readResponse(response),
    ephemeralFor: inChannel ? null : origin.userId,
  });
  if (inChannel) echo.posted(message);
}

function applyResponse(response: Response): void {
  if (booleanArg(response.body, 'delete_original') === true) {
    deleteSource(response);
    return;
  }
  if (booleanArg(response.body, 'replace_original') === true) {
    replaceSource(response);
    return;
  }
  postResponse(response);
}

/** Answers a POST to a response URL: plain `ok`, or 404 with the reason (slack.md 3.4; markdown_text is no text). */
export function answerResponseUrl(input: { state: SandboxState; echo: Echo; path: string; body: Json }): HttpAnswer {
  const origin = input.state.responseUrls.use(input.path);
  if (typeof origin === 'string') return { status: 404, body: `${origin}_url` };
  try {
    applyResponse({ ...input, origin });
    return { status: 200, body: 'ok' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.code === 'message_not_found' ? 404 : 400, body: error.code };
  }
}
