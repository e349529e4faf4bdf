import { describe, expect, it } from 'vitest';
import { compareNights } from '../../../reporting/history/compare-nights.ts';
import { renderHistory } from '../../../reporting/history/history-page.tsx';
import { catalogue } from '../journal/journal-builders.ts';
import { night, type Situation } from './night-builder.ts';

/** The page of these nights, each with a report. */
function pageOf(...situations: Situation[]): string {
  const nights = situations.map((situation, at) => night(at + 1, situation));
  const changes = compareNights(nights.slice(0, -1), nights.at(-1) ?? night(1));
  const linked = nights.map((each) => ({ night: each, report: `${each.run.id}/report.html` }));
  return renderHistory({ nights: linked, changes, requirements: catalogue });
}

describe('the page of a history', () => {
  const failing: Situation = { checks: { 'LIFE-02.cancel': 'fail' } };

  it('leads from each cell to the report of its night', () => {
    const page = pageOf({}, failing);
    expect(page).toContain('href="run-1/report.html#LIFE-02"');
    expect(page).toContain('href="run-2/report.html#LIFE-02.cancel"');
    expect(page).toContain('aria-label="LIFE-02, 2026-11-02: failed"');
  });

  it('names what changed with the last run, and the earlier runs with a change', () => {
    const page = pageOf({}, failing, { version: '4.3.0' }, { version: '4.3.0' });
    expect(page).toContain('No change.');
    expect(page).toContain('1 new failure (LIFE-02.cancel)');
    expect(page).toContain('server changed (4.2.0 to 4.3.0)');
    expect(pageOf({}, failing)).toContain('<h3>New failures <span class="count">1</span></h3>');
  });

  it('says the verdict of the last run, and what an empty cell means', () => {
    const page = pageOf({}, failing);
    expect(page).toContain('Verdict of <a href="run-2/report.html">the last run</a>: conformant.');
    expect(page).toContain('An empty cell was not part of the run. ');
  });

  it('compares two runs without the words for a history', () => {
    const nights = [night(1), night(2, failing)].map((each) => ({ night: each, report: null }));
    const changes = compareNights([night(1)], night(2, failing));
    const page = renderHistory({ nights, changes, requirements: catalogue, isComparison: true });
    expect(page).toContain('Verdict of the later run: conformant. Compared with the run of 2026-11-01 02:00:00 UTC:');
  });

  it('shows latencies, with a gap for a night without requests', () => {
    const nights = [night(1), { ...night(2), operations: [] }, night(3)];
    const linked = nights.map((each) => ({ night: each, report: null }));
    const last = nights[2] ?? night(3);
    const page = renderHistory({
      nights: linked,
      changes: compareNights(nights.slice(0, 2), last),
      requirements: catalogue,
    });
    expect(page.match(/<polyline/g)).toHaveLength(2);
    expect(page).not.toContain('report.html');
  });

  it('escapes the texts of the server and of the target file', () => {
    const hostile = '<script>alert(1)</script>';
    const page = pageOf({}, { version: hostile, observed: [{ id: 'initial-state', question: '?', value: hostile }] });
    expect(page).not.toContain(hostile);
    expect(page).toContain('&lt;script&gt;');
  });

  it('throws without a run', () => {
    const changes = compareNights([], night(1));
    expect(() => renderHistory({ nights: [], changes, requirements: catalogue })).toThrow('needs a run');
  });
});
