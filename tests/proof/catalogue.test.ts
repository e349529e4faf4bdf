import { describe, expect, test } from 'vitest';
import { allFaults } from '../../reference/faults/all.ts';
import { rejectedActions } from '../../reference/faults/support/lifecycle.ts';
import { uncatchableChecks } from '../../reference/faults/uncatchable-checks.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { checkCatalogue, requirements } from '../../specs/catalogue/catalogue.ts';

describe('the catalogue of faults', () => {
  test('gives every fault an id of its own', () => {
    const ids = allFaults.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  });

  test('breaks a requirement that is judged', () => {
    const judged = new Set(requirements.filter(({ checks }) => checks.length > 0).map(({ id }) => id));
    expect(allFaults.filter(({ requirement }) => !judged.has(requirement)).map(({ id }) => id)).toEqual([]);
  });

  test('names existing checks, one of them of the broken requirement', () => {
    const unknown = allFaults.flatMap(({ id, caughtBy, alsoRun = [] }) =>
      [...caughtBy, ...alsoRun].filter((check) => !checkCatalogue.has(check)).map((check) => `${id}: ${check}`),
    );
    expect(unknown).toEqual([]);
    const strangers = allFaults.filter(
      ({ requirement, caughtBy }) => !caughtBy.some((check) => check.startsWith(`${requirement}.`)),
    );
    expect(strangers.map(({ id }) => id)).toEqual([]);
  });

  test('names every declared check, except those that no server can turn red', () => {
    const named = new Set<string>(allFaults.flatMap(({ caughtBy }) => caughtBy));
    const unreachable = new Set<string>(uncatchableChecks.map(({ check }) => check));
    expect([...checkCatalogue.keys()].filter((id) => !named.has(id) && !unreachable.has(id))).toEqual([]);
    expect([...unreachable].filter((id) => named.has(id))).toEqual([]);
  });

  test('has an "allowed" fault for every rejecting cell of the lifecycle', () => {
    const allowed = new Set(allFaults.map(({ id }) => id));
    const missing = rejectedActions.filter(
      ({ state, action }) => !allowed.has(`life-${state.toLowerCase()}-${action}-allowed`),
    );
    expect(missing).toEqual([]);
    expect(rejectedActions).toHaveLength(35);
  });

  test('describes each defect in one sentence of its own', () => {
    const sentences = allFaults.map(({ defect }) => defect);
    expect(sentences.filter((sentence) => !/^\S.*\S\.$/.test(sentence))).toEqual([]);
  });
});

describe('the catalogue of variations', () => {
  test('gives every variation an id of its own and a choice', () => {
    const ids = allVariations.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(
      allVariations.filter(({ choice }) => !/^\S.*[^.]$/.test(choice) && !/^\w+$/.test(choice)).map(({ id }) => id),
    ).toEqual([]);
  });
});
