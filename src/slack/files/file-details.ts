import type { FilesInfoResponse, WebClient } from '@slack/web-api';
import type { RequestFile } from '../../domain/run.ts';
import { callSlack } from '../map-error.ts';
import { FileProblem, PROBLEMS } from './file-problem.ts';

type SlackFile = NonNullable<FilesInfoResponse['file']>;

/** Fills in what an event left out of a file (Slack Connect, or no link). A `FileProblem` when Slack has no such file. */
export async function completeFile(client: WebClient, file: RequestFile): Promise<RequestFile> {
  if (!file.needsInfo && file.urlPrivateDownload !== null) return file;
  const { file: details } = await callSlack('files.info', () => client.files.info({ file: file.id }));
  if (!details) throw new FileProblem(PROBLEMS.deleted);
  const problem = absenceOf(details);
  if (problem) throw new FileProblem(problem);
  return {
    id: file.id,
    name: details.name ?? file.name,
    mimetype: details.mimetype ?? file.mimetype,
    sizeBytes: details.size ?? file.sizeBytes,
    urlPrivateDownload: details.url_private_download ?? details.url_private ?? null,
    needsInfo: false,
  };
}

function absenceOf(details: SlackFile): string | null {
  if (details.mode === 'tombstone' || details.file_access === 'file_not_found') return PROBLEMS.deleted;
  if (details.mode === 'hidden_by_limit') return PROBLEMS.hidden;
  if (details.file_access === 'access_denied') return PROBLEMS.noAccess;
  return null;
}
