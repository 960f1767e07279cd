import { describe, expect, it } from 'vitest';
import { isStopWord } from '../../../src/runner/stop-word.ts';

describe('the stop word', () => {
  it.each(['stop', ' Stop! ', 'STOP.', '!stop', '/stop'])('%j stops', (text) => expect(isStopWord(text)).toBe(true));
  it.each(['stop the car', 'nonstop', '', 'do not stop', 'stopp'])('%j does not', (text) =>
    expect(isStopWord(text)).toBe(false),
  );
});
