import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../reporting/compare/compare-runs.ts';
import type { ComparedRun } from '../../../reporting/compare/compared-run.ts';
import { comparison } from '../../../specs/formats/comparison.ts';
import { catalogue, observation, requirement, result } from '../journal/journal-builders.ts';
import { runOf } from './run-builder.ts';

function rowOf(runs: readonly ComparedRun[], id: string) {
  return compareRuns(runs).requirements.find((row) => row.id === id);
}

describe('the requirements of a comparison', () => {
  it('are different if two runs have different verdicts, and equal otherwise', async () => {
    const runs = [await runOf('Acme', { records: [result('LIFE-01.draft-submit', 'fail')] }), await runOf('Umbrella')];
    const compared = compareRuns(runs);
    expect(comparison.parse(compared)).toEqual(compared);
    expect(compared.scopeDifferences).toEqual([]);
    expect(compared.requirements.map(({ id, agreement, verdicts }) => [id, agreement, ...verdicts])).toEqual([
      ['AUTH-01', 'equal', 'pass', 'pass'],
      ['LIFE-01', 'different', 'fail', 'pass'],
      ['LIFE-02', 'equal', 'pass', 'pass'],
      ['LIFE-03', 'equal', 'not-applicable', 'not-applicable'],
      ['LIFE-04', 'equal', 'not-applicable', 'not-applicable'],
    ]);
  });

  it('count a blocked requirement as a verdict, and one that a run did not select as none', async () => {
    const blocked = await runOf('Acme', { records: [result('LIFE-01.draft-submit', 'blocked')] });
    const narrow = await runOf('Umbrella', { header: { selected: ['LIFE-01.draft-submit'] } });
    const runs = [blocked, narrow, await runOf('Initech')];
    expect(rowOf(runs, 'LIFE-01')).toMatchObject({ agreement: 'different', verdicts: ['blocked', 'pass', 'pass'] });
    expect(rowOf(runs, 'AUTH-01')).toMatchObject({
      agreement: 'incomplete',
      verdicts: ['pass', 'not-selected', 'pass'],
    });
    expect(compareRuns(runs).scopeDifferences).toEqual(['selection']);
    const others = await runOf('Initech', { header: { selected: ['LIFE-01.draft-submit'] } });
    expect(rowOf([narrow, others], 'AUTH-01')).toMatchObject({ agreement: 'not-selected' });
  });

  it('of different catalogues are joined by area, and are marked if their texts differ', async () => {
    const [first, ...others] = catalogue;
    if (first === undefined) throw new Error('the catalogue is empty');
    const changed = { ...first, statement: 'Every request needs a key.' };
    const requirements = [changed, requirement('AUTH-02', 'authentication', 'required', ['extra']), ...others];
    const later = await runOf('Umbrella', {
      header: { catalogue: { digest: 'sha256:def', requirements }, kit: { name: 'kit', version: '0.2.0' } },
      run: { profile: 'core' },
    });
    const runs = [await runOf('Acme'), later];
    const compared = compareRuns(runs);
    expect(compared.scopeDifferences).toEqual(['kit', 'catalogue', 'profile']);
    expect(compared.requirements.map(({ id }) => id).slice(0, 3)).toEqual(['AUTH-01', 'AUTH-02', 'LIFE-01']);
    expect(rowOf(runs, 'AUTH-01')).toMatchObject({ isSameText: false, agreement: 'equal' });
    expect(rowOf(runs, 'AUTH-02')).toMatchObject({
      isSameText: true,
      agreement: 'not-selected',
      verdicts: [null, 'not-selected'],
    });
  });
});

describe('the unspecified behaviour of a comparison', () => {
  it('is compared as a set: a missing observation is no difference', async () => {
    const runs = [
      await runOf('Acme', {
        records: [
          observation('statuses', ['b', 'a']),
          observation('first-state', 'DRAFT'),
          observation('only-here', 1),
        ],
      }),
      await runOf('Umbrella', {
        records: [observation('statuses', 'a'), observation('statuses', 'b'), observation('first-state', 'OPEN')],
      }),
    ];
    expect(compareRuns(runs).observations.map(({ id, agreement, values }) => [id, agreement, ...values])).toEqual([
      ['first-state', 'different', ['DRAFT'], ['OPEN']],
      ['only-here', 'incomplete', [1], null],
      ['statuses', 'equal', ['a', 'b'], ['a', 'b']],
    ]);
  });
});

describe('the implementations of a comparison', () => {
  it('have distinct names in one line', async () => {
    const names = ['Acme', 'Acme', 'Two\nlines', '', `Long ${'x'.repeat(90)}`];
    const runs = await Promise.all(names.map((name) => runOf(name)));
    expect(compareRuns(runs).implementations.map(({ label }) => label)).toEqual([
      'Acme (1)',
      'Acme (2)',
      'Two lines',
      'https://staging.example.com',
      `Long ${'x'.repeat(55)}… (35 characters more)`,
    ]);
  });

  it('are at least two', async () => {
    const run = await runOf('Acme');
    expect(() => compareRuns([run])).toThrow('needs two runs');
  });
});
