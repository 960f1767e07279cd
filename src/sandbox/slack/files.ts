import type { Changes } from './changes.ts';
import type { IdSource } from './ids.ts';
import type { Json } from './json.ts';

/** A file as a person or the bot shares it. */
export type FileSetup = {
  id?: string;
  name: string;
  mimetype: string;
  content: Uint8Array | string;
  /** What the file object says; default the length of the content. */
  reportedSize?: number;
  /**
   * What a download answers. `content` (default) needs the bot token and `files:read`, else the login page;
   * `login_page` always answers that page; `redirect` sends the client to the foreign host; `missing` is a 404.
   */
  download?: 'content' | 'login_page' | 'redirect' | 'missing';
  /** Slack Connect: the event holds only the id, `files.info` the rest. */
  access?: 'check_file_info' | 'file_not_found';
};

export type SandboxFile = Omit<FileSetup, 'content' | 'id'> & {
  id: string;
  content: Uint8Array;
  userId: string;
  title: string;
  createdAtMs: number;
};

type PendingUpload = { fileId: string; name: string; length: number; content: Uint8Array | null; mimetype: string };

export type FileStore = {
  add(file: FileSetup, userId: string): SandboxFile;
  find(id: string): SandboxFile | undefined;
  openUpload(input: { name: string; length: number }): { ticket: string; fileId: string };
  /** Stores the bytes of an upload; false if the ticket is unknown or the length is not the promised one. */
  receive(ticket: string, content: Uint8Array): boolean;
  /** Makes a file of a received upload; undefined if its bytes never came. */
  complete(input: { fileId: string; title: string | null; userId: string }): SandboxFile | undefined;
};

const TYPES: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
};

function mimetypeOf(name: string): string {
  return TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}

/** Creates the file store of one sandbox. */
export function createFileStore(input: { now: () => number; ids: IdSource; changes: Changes }): FileStore {
  const files = new Map<string, SandboxFile>();
  const uploads = new Map<string, PendingUpload>();

  const add = (file: FileSetup, userId: string) => {
    const content = typeof file.content === 'string' ? new TextEncoder().encode(file.content) : file.content;
    const id = file.id ?? input.ids.next('F');
    const stored = { ...file, id, content, userId, title: file.name, createdAtMs: input.now() };
    files.set(id, stored);
    input.changes.notify();
    return stored;
  };

  return {
    add,
    find: (id) => files.get(id),
    openUpload({ name, length }) {
      const ticket = input.ids.secret();
      const fileId = input.ids.next('F');
      uploads.set(ticket, { fileId, name, length, content: null, mimetype: mimetypeOf(name) });
      return { ticket, fileId };
    },
    receive(ticket, content) {
      const upload = uploads.get(ticket);
      if (upload === undefined || upload.length !== content.byteLength) return false;
      upload.content = content;
      return true;
    },
    complete({ fileId, title, userId }) {
      const [ticket, upload] = [...uploads].find(([, candidate]) => candidate.fileId === fileId) ?? [];
      if (ticket === undefined || !upload || upload.content === null) return undefined;
      uploads.delete(ticket);
      const { name, mimetype, content } = upload;
      const file = { ...add({ id: fileId, name, mimetype, content }, userId), title: title ?? name };
      files.set(fileId, file);
      return file;
    },
  };
}

type FileView = { baseUrl: string; teamId: string; partial?: boolean };

/** The file object of Slack's events and of `files.info`. `partial` cuts it down as Slack Connect does in events. */
export function fileObject(file: SandboxFile, view: FileView): Json {
  if (view.partial === true && file.access !== undefined) {
    return { id: file.id, mode: 'file_access', file_access: file.access, created: 0, timestamp: 0, user: '' };
  }
  const created = Math.floor(file.createdAtMs / 1_000);
  const base = `${view.baseUrl}/files-pri/${view.teamId}-${file.id}`;
  const name = encodeURIComponent(file.name);
  return {
    id: file.id,
    created,
    timestamp: created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: file.name.split('.').at(-1) ?? '',
    pretty_type: file.mimetype,
    user: file.userId,
    user_team: view.teamId,
    editable: false,
    size: file.reportedSize ?? file.content.byteLength,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: true,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${base}/${name}`,
    url_private_download: `${base}/download/${name}`,
    permalink: `${view.baseUrl}/files/${file.userId}/${file.id}/${name}`,
    permalink_public: `${view.baseUrl}/${view.teamId}-${file.id}`,
    file_access: 'visible',
  };
}
