/** Why a file cannot be used, as a sentence for the thread. It names no file: who shows it knows which it is. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

export const PROBLEMS = {
  notImage: 'This file is not a PNG, JPEG, GIF or WebP image.',
  tooLarge: 'This image is larger than 20 MB, the most that can be read.',
  empty: 'This file is empty.',
  deleted: 'This file was deleted.',
  hidden: 'This file is hidden because the workspace has reached its storage limit.',
  noAccess: 'Slack does not let me read this file.',
  notInSlack: 'This file is not stored in Slack, so it was not read.',
  loginPage: 'Slack answered with a login page instead of this file; the permission files:read may be missing.',
  tooManyRedirects: 'Slack redirected too often while this file was read.',
  tooSlow: 'Slack took too long to deliver this file.',
  unreadable: 'This file could not be read from Slack.',
} as const;
