import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../reporting/compare/compare-runs.ts';
import { comparisonLines } from '../../../reporting/compare/comparison-text.ts';
import { scopeLine } from '../../../reporting/compare/scope-differences.ts';
import { observation, result } from '../journal/journal-builders.ts';
import { runOf } from './run-builder.ts';

describe('the text of a comparison', () => {
  it('has a line for each difference, the worst verdict first, and the counts', async () => {
    const failed = result('LIFE-01.draft-submit', 'fail');
    const runs = [
      await runOf('Reference', {
        records: [observation('codes', ['A', 'B', 'C']), observation('first-state', 'DRAFT')],
      }),
      await runOf('Acme', { records: [failed, observation('codes', ['B']), observation('first-state', 'DRAFT')] }),
      await runOf('Umbrella', { records: [observation('codes', ['B', 'D']), observation('first-state', 'DRAFT')] }),
    ];
    expect(comparisonLines(compareRuns(runs))).toEqual([
      'requirement  LIFE-01: failed (Acme) · passed (Reference and Umbrella)',
      'behaviour    codes: "A" and "C" (Reference) · none of these (Acme) · "D" (Umbrella)',
      'requirements: 1 different · 4 equal',
      'unspecified behaviour: 1 different · 1 equal',
    ]);
  });

  it('names what the runs do not share in one line, and the runs without a verdict', async () => {
    const runs = [
      await runOf('Acme', { records: [result('LIFE-01.draft-submit', 'fail'), observation('first-state', 'DRAFT')] }),
      await runOf('Umbrella', { run: { profile: 'core' }, header: { selected: ['LIFE-01.draft-submit'] } }),
      await runOf('Initech', { header: { catalogue: { digest: 'sha256:0', requirements: [] }, selected: [] } }),
    ];
    expect(comparisonLines(compareRuns(runs))).toEqual([
      'The runs have different catalogues and profiles (full and core): a verdict or an observation that a run lacks is not a difference, and a run with fewer checks sees less behaviour.',
      'requirement  LIFE-01: failed (Acme) · passed (Umbrella) · not in its catalogue (Initech)',
      'requirements: 1 different · 0 equal · 4 in some runs only',
      'unspecified behaviour: 0 different · 0 equal · 1 in some runs only',
    ]);
  });

  it('says what --strict changes', async () => {
    const runs = [await runOf('Acme', { run: { strict: true } }), await runOf('Umbrella')];
    expect(scopeLine(compareRuns(runs))).toMatch(
      /^The runs have different settings of --strict: .*; with --strict, a warning is a failure\.$/,
    );
  });

  it('is one short line for each difference, also with hostile texts', async () => {
    const runs = [
      await runOf('A\ncme', { records: [observation('first-state', `\u001b[31m\n${'x'.repeat(5000)}`)] }),
      await runOf('Umbrella', { records: [observation('first-state', 'DRAFT')] }),
    ];
    const line = comparisonLines(compareRuns(runs))[0] ?? '';
    expect(line).toContain('"DRAFT" (Umbrella)');
    expect(line.length).toBeLessThan(250);
    expect(line.includes('\n') || line.includes('\u001b')).toBe(false);
  });
});
