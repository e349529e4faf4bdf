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

test('another amount in a read or a list is judged by the check of plain amounts, other values are not', () => {
  const limits = (id: CheckId) =>
    preconditionsOf(id).flatMap(({ owner, where }) => (owner === 'CREATE-15.cents' ? [where] : []));
  expect(limits('CREATE-14.readable')).toEqual(['amount is']);
  for (const id of ['CREATE-14.generated', 'CREATE-14.listed', 'CREATE-16.left-out', 'IDEM-02.one-invoice'] as const)
    expect(limits(id)).toEqual(['with amount']);
});

test('an invoice that is not read as sent is blamed before its later states, but after the plain amounts', () => {
  const owners = preconditionsOf('REC-10.amount').map(({ owner }) => owner);
  expect(owners.indexOf('CREATE-15.cents')).toBeLessThan(owners.indexOf('CREATE-14.readable'));
});
