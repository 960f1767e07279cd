import { describe, expect, it } from 'vitest';
import { isRequester } from '../../../src/domain/run.ts';

describe('who may act on a run', () => {
  it('is its requester alone', () => {
    expect(isRequester({ requesterId: 'U1' }, 'U1')).toBe(true);
    expect(isRequester({ requesterId: 'U1' }, 'U2')).toBe(false);
  });
});
