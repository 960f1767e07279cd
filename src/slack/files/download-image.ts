import type { WebClient } from '@slack/web-api';
import type { ImageResult } from '../../domain/ports/chat.ts';
import type { Logger } from '../../domain/ports/logger.ts';
import type { RequestFile } from '../../domain/run.ts';
import { SlackError } from '../../errors.ts';
import { completeFile } from './file-details.ts';
import { describeProblem, FileProblem, PROBLEMS } from './file-problem.ts';
import { type FileAccess, openFile } from './file-request.ts';
import { detectImageType, IMAGE_HEAD_BYTES, looksLikeHtml } from './image-type.ts';

/** Contract C31. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 60_000;

type ImageSource = FileAccess & { client: WebClient; logger: Logger; timeoutMs?: number };

/**
 * Reads an image that was attached to a request. Whatever is wrong with it becomes a sentence for the thread: a bad
 * file never stops a run. The bytes decide what it is, not what it is called or served as.
 */
export async function downloadImage(source: ImageSource, file: RequestFile): Promise<ImageResult> {
  let known = file;
  try {
    known = await completeFile(source.client, file);
    return { file: known, dataUrl: await readImage(source, known) };
  } catch (error) {
    const problem = problemOf(error);
    source.logger.warn({ fileId: file.id, problem, err: error }, 'image_not_read');
    return { file: known, problem: describeProblem(known.name, problem) };
  }
}

async function readImage(source: ImageSource, file: RequestFile): Promise<string> {
  if (file.mimetype !== '' && !file.mimetype.startsWith('image/')) throw new FileProblem(PROBLEMS.notImage);
  if (file.sizeBytes > MAX_IMAGE_BYTES) throw new FileProblem(PROBLEMS.tooLarge);
  if (file.urlPrivateDownload === null) throw new FileProblem(PROBLEMS.noAccess);
  const signal = AbortSignal.timeout(source.timeoutMs ?? DOWNLOAD_TIMEOUT_MS);
  const response = await openFile(source, { url: file.urlPrivateDownload, signal });
  const { type, bytes } = await readBody(response);
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** Reads no further than it must: a wrong beginning or one byte too many ends the download. */
async function readBody(response: Response): Promise<{ type: string; bytes: Buffer }> {
  if (Number(response.headers.get('content-length')) > MAX_IMAGE_BYTES) {
    await response.body?.cancel();
    throw new FileProblem(PROBLEMS.tooLarge);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  let type: string | null = null;
  // Leaving the loop by an error cancels the body.
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > MAX_IMAGE_BYTES) throw new FileProblem(PROBLEMS.tooLarge);
    if (type === null && length >= IMAGE_HEAD_BYTES) type = imageType(Buffer.concat(chunks));
  }
  if (length === 0) throw new FileProblem(PROBLEMS.empty);
  const bytes = Buffer.concat(chunks, length);
  return { type: type ?? imageType(bytes), bytes };
}

function imageType(head: Buffer): string {
  const type = detectImageType(head.subarray(0, IMAGE_HEAD_BYTES));
  if (type) return type;
  throw new FileProblem(looksLikeHtml(head) ? PROBLEMS.loginPage : PROBLEMS.notImage);
}

function problemOf(error: unknown): string {
  if (error instanceof FileProblem) return error.message;
  if (error instanceof SlackError && error.slackCode === 'file_not_found') return PROBLEMS.deleted;
  if (error instanceof SlackError && error.slackCode === 'file_deleted') return PROBLEMS.deleted;
  if (error instanceof SlackError && error.slackCode === 'missing_scope') return PROBLEMS.noAccess;
  if (error instanceof Error && error.name === 'TimeoutError') return PROBLEMS.tooSlow;
  return PROBLEMS.unreadable;
}
