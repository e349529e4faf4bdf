import { describe, expect, test } from 'vitest';
import { checkCatalogue } from '../../../specs/catalogue/catalogue.ts';
import { preconditionsOf } from '../../../specs/catalogue/preconditions.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';

describe('the preconditions of checks', () => {
  test('have no cycle', () => {
    const circles: string[] = [];
    const done = new Set<CheckId>();
    const follow = (id: CheckId, path: readonly CheckId[]): void => {
      if (path.includes(id)) circles.push([...path, id].join(' rests on '));
      if (path.includes(id) || done.has(id)) return;
      for (const { owner } of preconditionsOf(id)) follow(owner, [...path, id]);
      done.add(id);
    };
    for (const id of checkCatalogue.keys()) follow(id, []);
    expect(circles).toEqual([]);
  });

  test('are at least as strict as their checks: a blocked check always has a failed one', () => {
    const lax = [...checkCatalogue.values()].flatMap(({ id, level }) =>
      preconditionsOf(id)
        .filter(({ owner }) => level === 'required' && checkCatalogue.get(owner)?.level !== 'required')
        .map(({ owner }) => `${id} rests on ${owner}`),
    );
    expect(lax).toEqual([]);
  });
});

test('an amount that is not kept in the usual currency is judged by the check of plain amounts', () => {
  const owners = (id: CheckId) => preconditionsOf(id).map(({ owner }) => owner);
  for (const id of ['CREATE-15.other-currencies', 'CREATE-15.currency-lifecycle', 'REC-10.amount'] as const)
    expect(owners(id)).toContain('CREATE-15.cents');
});
