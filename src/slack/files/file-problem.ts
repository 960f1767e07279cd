/** Why a file cannot be used; the message is one of `PROBLEMS`. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

/** What a sentence says of a file after naming it. */
export const PROBLEMS = {
  notImage: 'is not a PNG, JPEG, GIF or WebP image.',
  tooLarge: 'is larger than 20 MB, the most that can be read.',
  empty: 'is empty.',
  deleted: 'was deleted.',
  hidden: 'is hidden because the workspace has reached its storage limit.',
  noAccess: 'may not be read by this app.',
  notInSlack: 'is not stored in Slack, so it was not read.',
  loginPage: 'was not delivered: Slack answered with a login page, so the permission files:read may be missing.',
  tooManyRedirects: 'was not delivered: Slack redirected too often.',
  tooSlow: 'was not delivered in time.',
  unreadable: 'could not be read from Slack.',
} as const;

const MAX_NAME_CHARACTERS = 100;

/** The sentence for the thread. The name is a person's own text: plain, not escaped for Slack. */
export function describeProblem(fileName: string, problem: string): string {
  const name = fileName.replace(/\p{Cc}+/gu, ' ').trim();
  const characters = [...name];
  const shown =
    characters.length > MAX_NAME_CHARACTERS ? `${characters.slice(0, MAX_NAME_CHARACTERS).join('')}…` : name;
  return `${shown || 'A file without a name'} ${problem}`;
}
