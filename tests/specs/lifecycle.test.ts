import { describe, expect, test } from 'vitest';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import { findActionPath, lifecycle } from '../../specs/contract/lifecycle.ts';

const cells = lifecycle.states.flatMap((state) => lifecycle.actions.map((action) => ({ state, action })));

describe('the lifecycle table', () => {
  test('has 42 cells, six states by seven actions', () => {
    expect(lifecycle.states).toHaveLength(6);
    expect(lifecycle.actions).toHaveLength(7);
    expect(new Set(cells.map(({ state, action }) => `${state} ${action}`)).size).toBe(42);
  });

  test('offers seven actions, each in one state', () => {
    const offered = lifecycle.states.flatMap((state) => lifecycle.offered[state]);
    expect([...offered].sort()).toEqual([...lifecycle.actions].sort());
  });

  test('offers nothing in the states that are final', () => {
    expect(lifecycle.offered.SETTLED).toEqual([]);
    expect(lifecycle.offered.CANCELLED).toEqual([]);
  });

  test.each(cells)('$action of a $state invoice has exactly one check', ({ state, action }) => {
    const cell = `.${state.toLowerCase()}-${action}`;
    const owners = [...checkCatalogue.keys()].filter((id) => /^LIFE-0[123]\./.test(id) && id.endsWith(cell));
    expect(owners).toHaveLength(1);
    expect(owners[0]?.startsWith('LIFE-01.')).toBe(lifecycle.offered[state].includes(action));
  });
});

describe('the way to a state', () => {
  test.each([
    ['SUBMITTED', ['submit']],
    ['APPROVED', ['submit', 'approve']],
    ['DISPUTED', ['submit', 'dispute']],
    ['CANCELLED', ['submit', 'cancel']],
    ['SETTLED', ['submit', 'approve', 'settle']],
  ] as const)('%s is the shortest from DRAFT', (state, way) => {
    expect(findActionPath('DRAFT', state)).toEqual(way);
  });

  test('is empty for the state itself', () => {
    for (const state of lifecycle.states) expect(findActionPath(state, state)).toEqual([]);
  });

  test('does not exist backwards or out of a final state', () => {
    expect(findActionPath('SUBMITTED', 'DRAFT')).toBeNull();
    expect(findActionPath('APPROVED', 'CANCELLED')).toBeNull();
    expect(findActionPath('SETTLED', 'APPROVED')).toBeNull();
    expect(findActionPath('CANCELLED', 'SUBMITTED')).toBeNull();
  });
});
