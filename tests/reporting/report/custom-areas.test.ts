import { validate } from 'ctrf';
import { describe, expect, it } from 'vitest';
import { allureFiles } from '../../../reporting/formats/allure.ts';
import { consoleSummary } from '../../../reporting/formats/console.ts';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { renderHtml } from '../../../reporting/formats/html.tsx';
import { renderJunit } from '../../../reporting/formats/junit.ts';
import { renderMarkdown } from '../../../reporting/formats/markdown.ts';
import type { CustomArea } from '../../../specs/formats/custom-area.ts';
import type { CheckVerdict } from '../../../specs/verdicts.ts';
import { everyCheck, footer, header, reportOf, result } from '../journal/journal-builders.ts';

const custom: CustomArea[] = [
  {
    area: 'partner-portal',
    requirements: [
      {
        id: 'PORTAL-01',
        statement: 'An invoice shows a tax id.',
        place: 'Portal guide, chapter 3',
        checks: [
          { id: 'PORTAL-01.tax-id', title: 'A read invoice contains the tax id' },
          { id: 'PORTAL-01.form', title: 'The tax id has eleven digits' },
        ],
      },
    ],
  },
];

/** The report of a run whose checks of the contract all passed. */
async function withCustom(verdicts: Readonly<Record<string, CheckVerdict>>) {
  const results = Object.entries(verdicts).map(([id, verdict]) => ({
    ...result('AUTH-01.missing', verdict),
    kind: 'custom-check' as const,
    id,
    reason: verdict === 'pass' ? '' : 'the invoice has no taxId',
  }));
  const passed = everyCheck.map((id) => result(id, 'pass'));
  return await reportOf([header({ custom }), ...passed, ...results, footer()]);
}

describe('custom checks in a report', () => {
  it('leave the verdict, the counts and the exit code alone if they pass', async () => {
    const report = await withCustom({ 'PORTAL-01.tax-id': 'pass', 'PORTAL-01.form': 'not-applicable' });
    expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0, gate: null });
    expect(report.summary.selected).toBe(everyCheck.length);
    expect(report.custom[0]?.requirements[0]?.verdict).toBe('pass');
  });

  it('fail the gate, and not the verdict', async () => {
    const report = await withCustom({ 'PORTAL-01.tax-id': 'fail', 'PORTAL-01.form': 'pass' });
    expect(report).toMatchObject({ verdict: 'conformant', exitCode: 1 });
    expect(report.gate).toMatchObject({ result: 'failed', custom: ['PORTAL-01.tax-id'], failures: [] });
    expect(report.gate?.reason).toBe('1 failed custom check (PORTAL-01.tax-id)');
    expect(report.summary.checks.fail).toBe(0);
  });

  it.each(['blocked', 'error'] as const)('leave the gate inconclusive if one is %s', async (verdict) => {
    const report = await withCustom({ 'PORTAL-01.tax-id': verdict, 'PORTAL-01.form': 'pass' });
    expect(report).toMatchObject({ verdict: 'conformant', exitCode: 3 });
    expect(report.gate?.reason).toBe('1 custom check could not be judged (PORTAL-01.tax-id)');
  });

  it('count as not judged if the run ended before them', async () => {
    const report = await withCustom({ 'PORTAL-01.tax-id': 'pass' });
    expect(report.custom[0]?.requirements[0]?.checks[1]).toMatchObject({ verdict: 'blocked', executed: false });
    expect(report.exitCode).toBe(3);
  });

  it('show under their own area in every text format', async () => {
    const report = await withCustom({ 'PORTAL-01.tax-id': 'fail', 'PORTAL-01.form': 'pass' });
    const console = consoleSummary(report, { color: false, width: 120, reportPath: 'out/report.html' });
    expect(console).toContain(
      'FAIL PORTAL-01.tax-id A read invoice contains the tax id (custom check, partner-portal)',
    );
    expect(console).toContain('custom checks, partner-portal: 1 failed · 1 passed');
    expect(renderMarkdown(report)).toContain('## Custom checks');
    const junit = renderJunit(report);
    expect(junit).toContain(
      '<testsuite name="custom checks: partner-portal" tests="2" failures="1" errors="0" skipped="0">',
    );
    const page = renderHtml(report);
    expect(page).toContain('Custom checks');
    expect(page).toContain('A read invoice contains the tax id');
  });

  it('are tests of their own suite in CTRF', async () => {
    const report = await withCustom({ 'PORTAL-01.tax-id': 'fail', 'PORTAL-01.form': 'not-applicable' });
    const ctrf = JSON.parse(renderReport(formats.ctrf, report));
    expect(validate(ctrf)).toMatchObject({ valid: true });
    expect(ctrf.results.summary).toMatchObject({ tests: everyCheck.length + 2, failed: 1, skipped: 1 });
    expect(ctrf.results.tests.slice(-2)).toMatchObject([
      {
        name: 'PORTAL-01.tax-id A read invoice contains the tax id',
        status: 'failed',
        suite: ['custom checks: partner-portal', 'PORTAL-01'],
        tags: ['custom'],
        message: 'the invoice has no taxId',
      },
      { status: 'skipped' },
    ]);
  });

  it('are results of their own suite in Allure, and of a category of their own if they fail', async () => {
    const report = await withCustom({ 'PORTAL-01.tax-id': 'fail', 'PORTAL-01.form': 'blocked' });
    const results = [...allureFiles(report)]
      .filter(({ name }) => name.endsWith('-result.json'))
      .map(({ content }) => JSON.parse(content));
    expect(results).toHaveLength(everyCheck.length + 2);
    expect(results.slice(-2)).toMatchObject([
      {
        fullName: 'PORTAL-01.tax-id',
        titlePath: ['custom checks: partner-portal', 'PORTAL-01'],
        status: 'failed',
        statusDetails: { message: 'custom check: the invoice has no taxId' },
        description: 'A read invoice contains the tax id\n\nPortal guide, chapter 3: An invoice shows a tax id.',
      },
      { status: 'skipped', statusDetails: { message: 'blocked: the invoice has no taxId' } },
    ]);
    expect(results.at(-2).labels).toContainEqual({ name: 'parentSuite', value: 'custom checks: partner-portal' });
  });
});
