import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../reporting/compare/compare-runs.ts';
import type { ComparedRun } from '../../../reporting/compare/compared-run.ts';
import { renderComparison } from '../../../reporting/compare/comparison-page.tsx';
import { observation, result } from '../journal/journal-builders.ts';
import { runOf } from './run-builder.ts';

const HOSTILE = '<script>alert(1)</script>';

function pageOf(runs: readonly ComparedRun[], reports: readonly (string | null)[] = []): string {
  return renderComparison(compareRuns(runs), reports);
}

describe('the page of a comparison', () => {
  const failed = result('LIFE-01.draft-submit', 'fail');

  it('shows facts and verdict of each implementation', async () => {
    const implementation = { vendor: 'Acme Ltd', product: 'Ledger', version: '4.2.0' };
    const page = pageOf([
      await runOf('Acme', { target: { implementation }, records: [failed], run: { filtered: ['LIFE'] } }),
      await runOf('Umbrella'),
    ]);
    for (const fact of ['Acme Ltd', 'Ledger', '4.2.0', 'full, only LIFE', '2026-01-31 09:30:00 UTC', 'kit 0.1.0'])
      expect(page).toContain(`<dd>${fact}</dd>`);
    expect(page).toContain('<span class="chip fail">non-conformant</span> for LIFE of profile full');
    expect(page).toContain('<span class="chip pass">conformant</span> for profile full');
    expect(page).not.toContain('notice scope');
    expect(page).not.toContain('<script');
  });

  it('has a row for each requirement, with verdicts in words and a link to each report', async () => {
    const page = pageOf([await runOf('Acme', { records: [failed] }), await runOf('Umbrella')], ['a/report.html', null]);
    expect(page).toContain('<tr class="different" id="row-LIFE-01"><th scope="row"><code>LIFE-01</code>');
    expect(page).toContain('<tr class="steady" id="row-LIFE-02">');
    expect(page).toContain('href="a/report.html#LIFE-01" aria-label="failed: LIFE-01, Acme"');
    expect(page).toContain('<td class="agreement">different</td>');
    expect(page).toContain('<span class="chip pass">passed</span></td>');
    expect(page).toContain('<span class="chip not-applicable">recorded only</span>');
    expect(page).toContain('<a href="#row-LIFE-01">');
    expect(page).toContain('>Report of Acme</a>');
    expect(page).not.toContain('Report of Umbrella');
  });

  it('leaves out what no run selected, and says that the runs have different scopes', async () => {
    const header = { selected: ['LIFE-01.draft-submit'] };
    const page = pageOf([
      await runOf('Acme', { header }),
      await runOf('Umbrella', { header, run: { profile: 'core' } }),
    ]);
    expect(page).not.toContain('id="row-AUTH-01"');
    expect(page).toContain('2 requirements without a row: no run selected them.');
    expect(page).toContain('<p class="notice scope">The runs have different profiles (full and core): ');
  });

  it('marks the behaviour that not every server shares', async () => {
    const page = pageOf([
      await runOf('Acme', { records: [observation('codes', ['A', 'B'])] }),
      await runOf('Umbrella', { records: [observation('codes', 'A'), observation('first-state', 'DRAFT')] }),
    ]);
    expect(page).toContain('<mark><code>&quot;B&quot;</code></mark>');
    expect(page).not.toContain('<mark><code>&quot;A&quot;</code></mark>');
    expect(page).toContain('<span class="quiet">not recorded</span>');
  });

  it('escapes the texts of servers, target files and journals', async () => {
    const page = pageOf([
      await runOf(HOSTILE, {
        target: { baseUrl: HOSTILE, implementation: { version: HOSTILE } },
        records: [observation('first-state', HOSTILE, HOSTILE)],
      }),
      await runOf('Umbrella', { records: [observation(HOSTILE, 1)] }),
    ]);
    expect(page).not.toContain(HOSTILE);
    expect(page).toContain('&lt;script&gt;');
  });
});
