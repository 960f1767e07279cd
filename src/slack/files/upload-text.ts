import type { WebClient } from '@slack/web-api';
import type { PostTarget } from '../../domain/ports/chat.ts';
import { SlackError } from '../../errors.ts';
import { callSlack } from '../map-error.ts';
import { operationFileName } from '../operation-mark.ts';

/** Where a file was shared. The SDK's type leaves out `private`: private channels and direct messages. */
type Shares = { public?: ChannelShares; private?: ChannelShares };
type ChannelShares = Record<string, ReadonlyArray<{ ts?: string }>>;

/**
 * Uploads a text file into a thread. Slack shares files after it has answered, so the message's ts is often not known
 * yet; the file's id stands in for it then.
 */
export async function uploadText(
  client: WebClient,
  { target, file }: { target: PostTarget; file: { name: string; content: string; comment: string } },
): Promise<string> {
  const upload = {
    channel_id: target.channelId,
    filename: operationFileName(target.operationId, file.name),
    title: file.name,
    content: file.content,
    initial_comment: file.comment,
  };
  const uploaded = await callSlack('files.uploadV2', () =>
    client.filesUploadV2(target.threadTs === null ? upload : { ...upload, thread_ts: target.threadTs }),
  );
  const stored = uploaded.files[0]?.files?.[0];
  const shares: Shares = stored?.shares ?? {};
  const [share] = shares.public?.[target.channelId] ?? shares.private?.[target.channelId] ?? [];
  const found = share?.ts ?? stored?.id;
  if (found) return found;
  throw new SlackError('Slack took a file but did not say where it is.', {
    code: 'slack_unreachable',
    retryable: true,
  });
}
