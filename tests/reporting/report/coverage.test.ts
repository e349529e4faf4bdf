import { describe, expect, test } from 'vitest';
import { readPreviousRun } from '../../../reporting/compare/previous-run.ts';
import { consoleSummary } from '../../../reporting/formats/console.ts';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { changeLines, compareCoverage, coverageLines } from '../../../reporting/report/coverage.ts';
import type { CheckRecord, HeaderRecord, JournalRecord } from '../../../specs/formats/journal.ts';
import type { Report } from '../../../specs/formats/report.ts';
import { everyCheck, footer, header, reportOf, result, stream, target } from '../journal/journal-builders.ts';

const [missing = '', revoked = '', submit = '', becomes = ''] = everyCheck;
const PREVIOUS: HeaderRecord['previous'] = {
  id: 'run-0',
  startedAt: '2026-01-30T09:30:00.000Z',
  judged: [
    { check: missing, verdict: 'pass' },
    { check: revoked, verdict: 'pass' },
    { check: submit, verdict: 'pass' },
    { check: becomes, verdict: 'fail' },
  ],
};

/** A run of the first check only, with the given result of the second one. */
function later(verdict: CheckRecord['verdict'], filtered: string[] = []): Promise<Report> {
  const selected = [missing, revoked, becomes];
  const excluded = [{ check: submit, allowance: 'reset', reason: 'allow.reset of the target file is not true' }];
  return reportOf([
    header({ previous: PREVIOUS, selected, excluded }, { filtered }),
    result(missing, 'pass'),
    result(revoked, verdict, { reason: 'the check needs actors.revoked of the target file' }),
    result(becomes, 'error'),
    footer(),
  ]);
}

describe('the coverage of a run', () => {
  test('is unknown if the folder contained no run of this target', async () => {
    const report = await reportOf([header(), footer()]);
    expect(report.coverage).toBeNull();
    expect(coverageLines(report)).toEqual([]);
  });

  test('lists the checks that were judged last time and not now, with the reason', async () => {
    const { coverage } = await later('blocked');
    expect(coverage).toEqual({
      previous: 'run-0',
      startedAt: '2026-01-30T09:30:00.000Z',
      lost: [
        { check: revoked, before: 'pass', now: 'blocked', reason: 'the check needs actors.revoked of the target file' },
        { check: submit, before: 'pass', now: 'not-selected', reason: 'allow.reset of the target file is not true' },
        { check: becomes, before: 'fail', now: 'error', reason: `why ${becomes} is error` },
      ],
      newFailures: [],
      fixed: [],
    });
  });

  test('lost no check that fails or has a warning now', async () => {
    const lost = (await later('fail')).coverage?.lost.map(({ check }) => check);
    expect(lost).toEqual([submit, becomes]);
  });

  test('is shown in a console line for each verdict, and in page and summary', async () => {
    const report = await later('not-applicable');
    expect(coverageLines(report)).toEqual([
      `1 check failed in the previous run and was not judged in this run: ${becomes} (kit error)`,
      `2 checks passed in the previous run and were not judged in this run: ${revoked} (not applicable) and ${submit} (not selected)`,
    ]);
    const said = consoleSummary(report, { color: false, width: 80, reportPath: 'report.html' });
    for (const line of coverageLines(report)) expect(said).toContain(`\n${line}\n`);
    for (const format of [formats.html, formats.markdown]) {
      expect(renderReport(format, report)).toContain('Judged in the previous run, but not in this run');
    }
  });

  test('names the new and the fixed failures, in every text report', async () => {
    const report = await reportOf([
      header({ previous: PREVIOUS, selected: [revoked, becomes] }),
      result(revoked, 'fail'),
      result(becomes, 'pass'),
      footer(),
    ]);
    expect(report.coverage).toMatchObject({ newFailures: [revoked], fixed: [becomes] });
    expect(changeLines(report)).toEqual([`1 new failure: ${revoked}`, `1 fixed: ${becomes}`]);
    const warned = report.checks.map((check) => ({ ...check, verdict: 'warn' as const }));
    expect(changeLines({ ...report, checks: warned })).toContain(`1 new warning: ${revoked}`);
    const said = consoleSummary(report, { color: false, width: 80, reportPath: 'report.html' });
    const [page, summary] = [formats.html, formats.markdown].map((format) => renderReport(format, report));
    for (const text of [said, page, summary]) expect(text).toContain(`1 new failure: ${revoked}`);
  });

  test('of a selection omits what the filter excludes, but not what the target file excludes', async () => {
    const report = await reportOf([
      header({ previous: PREVIOUS, selected: [missing] }, { filtered: [missing] }),
      result(missing, 'pass'),
      footer(),
    ]);
    expect(report.coverage?.lost).toHaveLength(3);
    expect(coverageLines(report)).toEqual([]);
    expect(coverageLines(await later('pass', ['*'])).join()).toContain(`${submit} (not selected)`);
  });

  test('is the same if two reports are compared', async () => {
    const before = await reportOf([
      header({}, { id: 'run-0', startedAt: '2026-01-30T09:30:00.000Z' }),
      ...[missing, revoked, submit].map((id) => result(id, 'pass')),
      result(becomes, 'fail'),
      footer(),
    ]);
    const now = await later('blocked');
    expect(compareCoverage(before, now)).toEqual(now.coverage);
  });
});

describe('the data that a run passes to the next one in its folder', () => {
  const told = (records: JournalRecord[], about = target) => readPreviousRun(stream(records), about);
  const passes = everyCheck.map((id) => result(id, 'pass'));

  test('are its judged checks', async () => {
    const results = [result(missing, 'pass'), result(missing, 'fail'), result(revoked, 'blocked')];
    expect(await told([header(), ...results, footer()])).toEqual({
      id: 'run-1',
      startedAt: '2026-01-31T09:30:00.000Z',
      judged: [{ check: missing, verdict: 'fail' }],
    });
  });

  test('are empty for another target, with another name and another base URL', async () => {
    expect(
      await told([header(), ...passes, footer()], { ...target, name: 'Other', baseUrl: 'https://b.example' }),
    ).toBe(null);
    for (const same of [{ name: 'Other' }, { baseUrl: 'https://b.example' }]) {
      expect((await told([header(), ...passes, footer()], { ...target, ...same }))?.judged).toHaveLength(4);
    }
  });

  test('include earlier verdicts of checks that a filter or an interruption excluded, and no others', async () => {
    const ids = (run: Awaited<ReturnType<typeof told>>) => run?.judged.map(({ check }) => check);
    const previous = { previous: PREVIOUS };
    expect(ids(await told([header(previous, { filtered: ['X'] }), result(missing, 'pass'), footer()]))).toEqual(
      everyCheck,
    );
    expect(ids(await told([header(previous), result(missing, 'pass')]))).toEqual(everyCheck);
    expect(ids(await told([header(previous), footer({ interrupted: 'SIGINT' })]))).toEqual(everyCheck);
    expect(ids(await told([header(previous), result(missing, 'pass'), footer()]))).toEqual([missing]);
  });

  test('cannot be read from a journal without a header, or of another version', async () => {
    await expect(told([])).rejects.toThrow('the journal has no header');
    const { kit: _, ...odd } = header();
    await expect(told([odd as HeaderRecord])).rejects.toThrow(
      'the journal was written by another version of the kit, or is damaged',
    );
  });
});
