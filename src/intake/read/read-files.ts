import type { RequestFile } from '../../domain/run.ts';
import { type Fields, listAt, numberAt, textAt } from './fields.ts';

function readFile(file: Fields): RequestFile | null {
  const id = textAt(file, 'id');
  if (id === null) return null;
  return {
    id,
    name: textAt(file, 'name') ?? textAt(file, 'title') ?? id,
    mimetype: textAt(file, 'mimetype') ?? 'application/octet-stream',
    sizeBytes: numberAt(file, 'size') ?? 0,
    urlPrivateDownload: textAt(file, 'url_private_download') ?? textAt(file, 'url_private'),
    // Slack Connect: the event carries an id only, https://docs.slack.dev/reference/objects/file-object
    needsInfo: textAt(file, 'file_access') === 'check_file_info',
  };
}

/** The files of a message event. Deleted or hidden ones are kept without an address, so that they can be named. */
export function readFiles(event: Fields): RequestFile[] {
  return listAt(event, 'files')
    .map(readFile)
    .filter((file) => file !== null);
}
