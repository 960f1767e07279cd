import { fileObject, type SandboxFile } from '../files.ts';
import { isJson, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { jsonArg, numberArg, requiredArg, stringArg } from './args.ts';
import { botAuthor, resolveThread } from './chat.ts';
import type { ApiCall, ApiMethods } from './method.ts';

function fileView(call: ApiCall, file: SandboxFile): Json {
  return fileObject(file, { baseUrl: call.state.baseUrl, teamId: call.state.setup.team.id });
}

function info(call: ApiCall): Json {
  const file = call.state.files.find(requiredArg(call.args, 'file', 'file_not_found'));
  if (file === undefined || file.access === 'file_not_found') throw new Refusal('file_not_found');
  return { file: fileView(call, file) };
}

function getUploadUrl(call: ApiCall): Json {
  const name = requiredArg(call.args, 'filename');
  const length = numberArg(call.args, 'length', 0);
  if (length < 1) throw new Refusal('invalid_arguments');
  const { ticket, fileId } = call.state.files.openUpload({ name, length });
  return { upload_url: `${call.state.baseUrl}/upload/v1/${ticket}`, file_id: fileId };
}

function completeFiles(call: ApiCall): SandboxFile[] {
  const wanted = jsonArg(call.args, 'files', 'invalid_arguments');
  if (!Array.isArray(wanted) || wanted.length === 0) throw new Refusal('invalid_arguments');
  return wanted.filter(isJson).map((entry) => {
    const title = typeof entry.title === 'string' ? entry.title : null;
    const userId = call.state.setup.bot.userId;
    const file = call.state.files.complete({ fileId: String(entry.id), title, userId });
    if (file === undefined) throw new Refusal('file_not_found');
    return file;
  });
}

/** Makes the files known; with a channel, also posts the message that shares them. */
function complete(call: ApiCall): Json {
  const { args, state } = call;
  const channelId = stringArg(args, 'channel_id');
  const channel = channelId === null ? null : state.workspace.writable(channelId);
  const threadTs = channel && resolveThread(state, { channel: channel.id, threadTs: stringArg(args, 'thread_ts') });
  const files = completeFiles(call);
  if (channel !== null) {
    const text = stringArg(args, 'initial_comment') ?? '';
    const place = { channel: channel.id, ts: state.ids.nextTs(), threadTs };
    const message = state.history.add({ ...botAuthor(state), ...place, subtype: 'file_share', text, files });
    call.echo.posted(message);
  }
  return { files: files.map((file) => fileView(call, file)) };
}

/** files.info and the external upload (the upload URL itself is served beside the Web API). */
export const FILE_METHODS: ApiMethods = {
  'files.info': { scopes: ['files:read'], tier: 4, answer: info },
  'files.getUploadURLExternal': { scopes: ['files:write'], tier: 4, answer: getUploadUrl },
  'files.completeUploadExternal': { scopes: ['files:write'], tier: 4, answer: complete },
};
