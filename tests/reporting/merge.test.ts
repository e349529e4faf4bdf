import { describe, expect, it } from 'vitest';
import { mergeJournals } from '../../reporting/merge/merge-journals.ts';
import { mergeResults } from '../../reporting/merge/merge-verdicts.ts';
import { shardProblems } from '../../reporting/merge/shard-problems.ts';
import { placeOf, requestsOf } from '../../specs/catalogue/check-order.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import { checksOfShard } from '../../specs/catalogue/shards.ts';
import type { CheckRecord, HeaderRecord, JournalRecord } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { header, result, target } from './journal/journal-builders.ts';

const full = checksOfProfile('full');
const ruleIds = full.filter((id) => placeOf(id) === placeOf('ERR-01.parses'));
const none = () => false;

describe('the checks of the shards', () => {
  const shards = [1, 2, 3, 4].map((index) => checksOfShard(full, { index, of: 4 }, none));

  it('are all checks, each in one shard, and the exchange rules in all of them', () => {
    const active = shards.flatMap((ids) => ids.filter((id) => !ruleIds.includes(id)));
    expect(active.sort()).toEqual(full.filter((id) => !ruleIds.includes(id)).sort());
    for (const ids of shards) expect(ruleIds.every((id) => ids.includes(id))).toBe(true);
  });

  it('have about the same number of requests', () => {
    const loads = shards.map((ids) => requestsOf(ids));
    expect(Math.max(...loads)).toBeLessThan(1.2 * Math.min(...loads));
  });

  it('that must stay together are in the first shard', () => {
    const isTreasury = (id: CheckId) => id.startsWith('TREAS');
    const [, ...others] = [1, 2, 3, 4].map((index) => checksOfShard(full, { index, of: 4 }, isTreasury));
    expect(others.flat().filter(isTreasury)).toEqual([]);
  });
});

describe('the merged results', () => {
  const merged = (...results: CheckRecord[]) => new Map(mergeResults(results).map((each) => [each.id, each]));

  it('of an exchange rule are the worst that a shard has seen, and judged if one shard could judge it', () => {
    const rule = 'ERR-01.parses';
    expect(merged(result(rule, 'pass'), result(rule, 'fail')).get(rule)?.verdict).toBe('fail');
    expect(merged(result(rule, 'blocked'), result(rule, 'pass')).get(rule)?.verdict).toBe('pass');
    expect(merged(result(rule, 'not-applicable'), result(rule, 'blocked')).get(rule)?.verdict).toBe('blocked');
  });

  it('of a failed check are blocked if a check of another shard, on which it depends, failed', () => {
    const all = merged(result('LIST-01.items', 'fail'), result('LIST-02.full-last-page', 'fail'));
    expect(all.get('LIST-01.items')?.verdict).toBe('fail');
    expect(all.get('LIST-02.full-last-page')).toMatchObject({
      verdict: 'blocked',
      blockedBy: 'LIST-01.items',
      actual: '',
    });
  });

  it('stay as they are if the other check passed', () => {
    const all = merged(result('LIST-01.items', 'pass'), result('LIST-02.full-last-page', 'fail'));
    expect(all.get('LIST-02.full-last-page')?.verdict).toBe('fail');
  });
});

describe('the merged journal', () => {
  it('names the exchanges of an expectation by the ids that they have in it', async () => {
    const expectation = { sameAs: 'e1', differentFrom: { original: 'e2', control: 'e3' } };
    const failure = result('IDEM-07.balance', 'fail', { decisive: ['e4'], expectation });
    const shards = [1, 2].map((index) => ({
      header: header({}, { shard: { index, of: 2 } }),
      source: async function* () {
        if (index === 2) yield [failure];
      },
    }));
    const records: JournalRecord[] = [];
    for await (const record of mergeJournals(shards, { id: 'merged', gate: null, previous: null }))
      records.push(record);
    expect(records).toContainEqual({
      ...failure,
      decisive: ['2.e4'],
      expectation: { sameAs: '2.e1', differentFrom: { original: '2.e2', control: '2.e3' } },
    });
  });
});

describe('shards that do not belong together', () => {
  const shard = (index: number, changes: Partial<HeaderRecord> = {}, run: Partial<HeaderRecord['run']> = {}) => ({
    folder: `shard-${index}`,
    header: header(changes, { shard: { index, of: 2 }, ...run }),
  });

  it.each([
    ['kit', shard(2, { kit: { name: 'kit', version: '0.2.0' } }), 'the kit is kit 0.2.0, but kit 0.1.0 in shard-1'],
    [
      'catalogue',
      shard(2, { catalogue: { digest: 'sha256:def', requirements: [] } }),
      'the catalogue is sha256:def, but sha256:abc in shard-1',
    ],
    [
      'target',
      shard(2, { target: { ...target, baseUrl: 'https://other.example.com' } }),
      'the target is Staging gateway https://other.example.com, but Staging gateway https://staging.example.com in shard-1',
    ],
    ['seed', shard(2, {}, { seed: 8 }), 'the seed is 8, but 7 in shard-1'],
    ['profile', shard(2, {}, { profile: 'core' }), 'the profile is core, but full in shard-1'],
    ['filter', shard(2, {}, { filtered: ['AUTH'] }), 'the filter is AUTH, but none in shard-1'],
    ['number', shard(2, {}, { shard: { index: 2, of: 3 } }), 'the number of shards is 3, but 2 in shard-1'],
  ])('are rejected: another %s', (_, other, text) => {
    expect(shardProblems([shard(1), other])).toEqual([expect.stringContaining(`shard-2: ${text};`)]);
  });

  it('are accepted otherwise', () => {
    expect(shardProblems([shard(1), shard(2)])).toEqual([]);
  });
});
