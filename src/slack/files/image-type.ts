/** Bytes that tell every type below. */
export const IMAGE_HEAD_BYTES = 12;

/** The media type of the four image formats that planners read, by their first bytes; null for all else. */
export function detectImageType(head: Buffer): string | null {
  const ascii = head.toString('latin1');
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (ascii.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'image/gif';
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'image/webp';
  return null;
}

/** Whether bytes begin like a web page, whatever type they were served as. */
export function looksLikeHtml(head: Buffer): boolean {
  return /^\s*<(?:!doctype|html)/i.test(head.toString('latin1'));
}
