import { describe, expect, it } from 'vitest';
import { consoleSummary } from '../../../reporting/formats/console.ts';
import { buildReport } from '../../../reporting/report/build-report.ts';
import type { Report } from '../../../specs/formats/report.ts';
import {
  everyCheck,
  exchange,
  footer,
  header,
  leftover,
  removed,
  reportWith,
  requirement,
  result,
  stream,
} from '../journal/journal-builders.ts';

const [first = '', second = '', third = '', fourth = ''] = everyCheck;

function summary(report: Report, width = 100): string {
  return consoleSummary(report, { color: false, width, reportPath: 'reports/latest/report.html' });
}

describe('the summary on the console', () => {
  it('ends with the verdict and the path of the report', async () => {
    const [verdict, path] = summary(await reportWith())
      .trimEnd()
      .split('\n')
      .slice(-2);
    expect(verdict).toBe('conformant for profile full. None of the 4 judged checks failed.');
    expect(path).toBe('report reports/latest/report.html');
  });

  it('says why required checks, or many checks, were not applicable, the most frequent reason first', async () => {
    const report = await reportWith(result(first, 'not-applicable'));
    const notApplicable = report.checks.find(({ id }) => id === first);
    if (!notApplicable) throw new Error(`the report has no check ${first}`);
    const because = (reason: string, count: number, level: 'required' | 'implied') =>
      Array.from({ length: count }, (_, at) => ({ ...notApplicable, id: `AUTH-0${at}`, reason, level }));
    const checks = [
      ...report.checks.filter(({ id }) => id !== first),
      ...because('rare', 9, 'implied'),
      ...because('frequent', 10, 'implied'),
      ...because('of one', 1, 'required'),
      ...because('the run received no response that this rule applies to', 12, 'required'),
    ];
    const text = summary({ ...report, checks });
    expect(text).toContain('\nnot applicable: 10 checks: frequent\nnot applicable: AUTH-00: of one\n');
    expect(text).not.toContain('rare');
    expect(text).not.toContain('received no response');
  });

  it('shows failures and warnings first, with expected, actual and a command, then blocked checks', async () => {
    const text = summary(
      await reportWith(
        exchange('e1'),
        result(fourth, 'warn'),
        result(second, 'blocked', { blockedBy: first, reason: 'the control was refused' }),
        result(third, 'blocked', { blockedBy: first, reason: 'the control was refused' }),
        result(first, 'fail', { exchanges: ['e1'] }),
        leftover(),
        removed(),
      ),
    );
    const order = [
      'FAIL AUTH-01.missing',
      '  requirement ',
      '  contract ',
      'expected',
      'actual',
      'no script',
      'conformance run --target <your target file> --only AUTH-01.missing',
      'curl -i',
      'WARN LIFE-02',
      'BLOCKED 2 checks by AUTH-01.missing',
    ];
    const places = [
      ...order,
      '1 failed · 2 blocked · 1 warning',
      'could not be cleaned up',
      'cleaned up: 3 CANCELLED invoices',
      'non-conformant',
    ].map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('shows one failure of a cause in full, ten in one line, and the number of the others', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `case-${index}`);
    const many = requirement('BULK-01', 'bulk', 'required', names);
    const ids = many.checks.map((check) => check.id);
    const journal = [
      header({ catalogue: { digest: 'd', requirements: [many] }, selected: ids }),
      ...ids.map((id) => result(id, 'fail')),
      footer(),
    ];
    const text = summary(await buildReport(() => stream(journal)));
    expect(text.match(/^FAIL /gm)).toHaveLength(11);
    expect(text.match(/^ {2}expected /gm)).toHaveLength(1);
    expect(text).toContain('and 14 more failures in the report');
    expect(text).toMatch(/^Most likely one defect:$/m);
    expect(text).toContain('again  conformance run --target <your target file> --last-failed reports/latest');
  });

  it('wraps sentences to the width but never a command', async () => {
    const long = 'a long sentence about what came '.repeat(8);
    const asked = exchange('e1', { request: { ...exchange('x').request, body: 'b'.repeat(200) } });
    const lines = summary(
      await reportWith(asked, result(first, 'fail', { actual: long, exchanges: ['e1'] })),
      60,
    ).split('\n');
    const isCommand = (line: string) => /curl -i|conformance run/.test(line);
    const told = lines
      .slice(
        0,
        lines.findIndex((line) => line.includes('curl')),
      )
      .filter((line) => !isCommand(line));
    for (const line of told) expect(line.length).toBeLessThanOrEqual(60);
    expect(lines.find((line) => line.includes('curl'))).toContain('b'.repeat(200));
    expect(lines).toContainEqual(
      expect.stringContaining(`conformance run --target <your target file> --only ${first}`),
    );
  });
});
