import { describe, expect, it } from 'vitest';
import { readAnswer, readModalMetadata } from '../../../../src/intake/views/read-modal.ts';
import { clarificationModal } from '../../../../src/presenter/modals.ts';
import { aPause } from '../../presenter/factories.ts';

describe('a submitted modal', () => {
  it.each(['1.2', null])('tells what it was opened for, and from which message: %s', (messageTs) => {
    const modal = clarificationModal({ pause: aPause(), channelId: 'C1', messageTs });
    expect(readModalMetadata(modal.private_metadata ?? '')).toEqual({
      pauseId: aPause().id,
      termsDigest: 'digest',
      channelId: 'C1',
      messageTs,
    });
  });

  it.each(['', 'x', 'null', '[]', '{"pauseId":1}'])('is not ours with the metadata %j', (text) => {
    expect(readModalMetadata(text)).toBeNull();
  });

  it('holds the answer that was typed', () => {
    expect(readAnswer({ values: { answer_block: { answer_input: { value: '  Paris ' } } } })).toBe('Paris');
    expect(readAnswer({ values: {} })).toBe('');
    expect(readAnswer(null)).toBe('');
  });
});
