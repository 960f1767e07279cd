import { describe, expect, it } from 'vitest';
import {
  actionResultText,
  commandRootText,
  fileProblemsText,
  helpText,
  noticeMessage,
  statusListText,
  stopAllText,
} from '../../../src/presenter/texts.ts';
import { aPause, aRun, NOW } from './factories.ts';
import { read, slackProblems } from './slack-rules.ts';

describe('the texts', () => {
  it('tell who decided first', () => {
    const decision = {
      kind: 'clarification' as const,
      answer: 'Rome <!here>',
      source: 'option' as const,
      requestKey: null,
    };
    const pause = aPause({ state: 'decided', decidedBy: 'U2', decidedAt: NOW, decision });
    expect(actionResultText({ kind: 'already-decided', pause, approverIds: [] })).toBe(
      '<@U2> has already answered at <!date^1790856307^{time}|12:05 UTC>: Rome &lt;!here&gt;',
    );
  });

  it('tell who may do what others may not', () => {
    expect(actionResultText({ kind: 'not-allowed', allowedId: 'U1' })).toBe(
      'Only <@U1>, who asked for this run, can do this.',
    );
  });

  it('tell who pressed first on an ended run', () => {
    const run = aRun({ state: 'interrupted', choice: { action: 'close', actorId: 'U3', at: NOW } });
    expect(actionResultText({ kind: 'already-over', run })).toContain('<@U3> chose *');
  });

  it('list runs and questions', () => {
    const text = statusListText({ runs: [aRun()], waiting: [{ pause: aPause(), run: aRun() }], now: NOW });
    expect(text).toContain('• “Plan a trip to Paris” – Working · 2 min 05 s · <#C1>');
    expect(text).toContain('• Which city? – until <!date^');
    // What a person wrote is theirs, even where it looks like JSON.
    const odd = statusListText({
      runs: [aRun({ text: '[[1, 2]] sorted?' }), aRun({ text: '' })],
      waiting: [],
      now: NOW,
    });
    expect(odd).toContain('• “[[1, 2]] sorted?” – ');
    expect(odd).toContain('• a request with files – ');
    expect(statusListText({ runs: [], waiting: [], now: NOW })).toContain('no runs');
  });

  it('keep a long list within one message', () => {
    const runs = Array.from({ length: 60 }, () => aRun({ text: '<'.repeat(9_000) }));
    expect(
      statusListText({ runs, waiting: runs.map((run) => ({ run, pause: aPause() })), now: NOW }).length,
    ).toBeLessThan(10_000);
  });

  it('name the requester of a command and repeat the request in full, harmless', () => {
    const request = `${'Compare <!channel> prices & rooms. '.repeat(200)}End`;
    const content = noticeMessage(commandRootText({ actorId: 'U1', text: request }));
    expect(slackProblems(content)).toEqual([]);
    const shown = content.blocks.map((block) => String(read(read(block, 'text'), 'text'))).join('');
    expect(shown).toBe(
      `<@U1> asked: ${request.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}`,
    );
  });

  it('split a notice between entities, never inside one', () => {
    const content = noticeMessage(`x${'&amp;'.repeat(2_000)}`);
    expect(slackProblems(content)).toEqual([]);
    for (const block of content.blocks) expect(read(read(block, 'text'), 'text')).toMatch(/^x?(?:&amp;)+$/);
  });

  it('name the files that could not be used', () => {
    expect(fileProblemsText(['a.pdf is not an image.'])).toBe('I go on without one file: a.pdf is not an image.');
    expect(fileProblemsText(['a<b is empty.', 'c is empty.'])).toBe(
      'I go on without 2 files:\n• a&lt;b is empty.\n• c is empty.',
    );
  });

  it('count what was stopped', () => {
    expect(stopAllText(0)).toBe('You have no runs to stop here.');
    expect(stopAllText(2)).toBe('Stopping 2 runs.');
  });

  it('name every command in the help', () => {
    expect(helpText()).toContain('/steward status');
  });
});
