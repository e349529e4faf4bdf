import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { consoleSummary } from '../../../reporting/formats/console.ts';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { exceptionsOf, headlineOf, notesOf, type VerdictScope } from '../../../reporting/report/headline.ts';
import type { RunVerdict } from '../../../specs/verdicts.ts';
import { everyCheck, footer, header, reportOf, result, target } from '../journal/journal-builders.ts';

const EXCEPTIONS = ['reset (not allowed)', 'delete (not offered)'];

function headline(verdict: RunVerdict, changes: Partial<VerdictScope> = {}, overBudget = 0): string {
  return headlineOf(verdict, { profile: 'full', filtered: [], exceptions: [], notes: [], ...changes }, overBudget);
}

/** Every wording in docs/verdicts.md. */
const WORDINGS: [string, string][] = [
  ['a whole profile', headline('conformant')],
  ['a whole profile with exceptions', headline('conformant', { exceptions: EXCEPTIONS })],
  ['a selection', headline('passed', { filtered: ['LIFE-02'] })],
  ['a shard', headline('passed', { shard: { index: 1, of: 4 } })],
  ['a budget', headline('passed', {}, 12)],
  ['a failure', headline('non-conformant', { exceptions: EXCEPTIONS })],
  ['an unjudged check', headline('inconclusive')],
  ['a note', headline('conformant', { notes: ['production writes were allowed'] })],
];

describe('the headline of a verdict', () => {
  test('names profile and exceptions', () => {
    expect(headline('conformant')).toBe('conformant for profile full');
    expect(headline('conformant', { exceptions: EXCEPTIONS })).toBe(
      'conformant for profile full, except reset (not allowed) and delete (not offered)',
    );
    expect(headline('non-conformant', { exceptions: EXCEPTIONS })).toBe(
      'non-conformant for profile full; not judged: reset (not allowed) and delete (not offered)',
    );
  });

  test('names every exception, however many there are', () => {
    const exceptions = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(headline('conformant', { exceptions })).toBe('conformant for profile full, except a, b, c, d, e and f');
  });

  test('says of a selection that the other checks were not judged', () => {
    expect(headline('passed', { filtered: ['LIFE-02'] })).toBe(
      'passed: only LIFE-02 of profile full was judged; the other checks were not judged',
    );
    expect(headline('passed', { filtered: ['LIFE', 'RESET'], exceptions: ['reset (not allowed)'] })).toBe(
      'passed: only LIFE and RESET of profile full were judged, except reset (not allowed); the other checks were not judged',
    );
    expect(headline('non-conformant', { filtered: ['LIFE-02'] })).toBe('non-conformant for LIFE-02 of profile full');
  });

  test('says for how many checks the budget did not suffice', () => {
    expect(headline('passed', {}, 1)).toBe(
      'passed: the request budget did not suffice for 1 check of profile full; the other checks were not judged',
    );
  });

  test.each(WORDINGS)('for %s appears in docs/verdicts.md', (_, wording) => {
    expect(readFileSync(new URL('../../../docs/verdicts.md', import.meta.url), 'utf8')).toContain(`\`${wording}\``);
  });
});

test('exceptions are the fields that the target file does not allow, and the not-offered operations', () => {
  const excluded = everyCheck.slice(0, 2).map((check) => ({ check, allowance: 'reset', reason: 'why' }));
  expect(exceptionsOf(header({ excluded, target: { ...target, notOffered: ['delete'] } }))).toEqual(EXCEPTIONS);
  expect(exceptionsOf(header())).toEqual([]);
  expect(notesOf(header())).toEqual([]);
  expect(notesOf(header({ target: { ...target, allow: { ...target.allow, productionWrites: true } } }))).toEqual([
    'production writes were allowed',
  ]);
});

describe('the verdict is shown with exceptions and notes', async () => {
  const [first = '', ...others] = everyCheck;
  const report = await reportOf([
    header({
      selected: others,
      excluded: [{ check: first, allowance: 'reset', reason: 'allow.reset of the target file is not true' }],
      target: { ...target, notOffered: ['delete'], allow: { ...target.allow, productionWrites: true } },
    }),
    ...others.map((id) => result(id, 'pass')),
    footer(),
  ]);
  const wording =
    /conformant for profile full \(production writes were allowed\), except reset \(not allowed\) and delete \(not offered\)/i;

  // GitLab shows only findings, and a badge has room for the number of exceptions.
  const worded = Object.entries(formats).filter(([name]) => name !== 'gitlab' && name !== 'badge');

  test('in the badge as the number of exceptions', () => {
    expect(renderReport(formats.badge, report)).toContain('conformance: conformant (full, 2 exceptions)');
  });

  test.each(worded)('in the format %s', (_, format) => {
    expect(renderReport(format, report)).toMatch(wording);
  });

  test('on the console', () => {
    expect(consoleSummary(report, { color: false, width: 80, reportPath: 'report.html' })).toMatch(wording);
  });

  test('and in report.json as lists', () => {
    expect(report).toMatchObject({ exceptions: EXCEPTIONS, notes: ['production writes were allowed'] });
  });
});
