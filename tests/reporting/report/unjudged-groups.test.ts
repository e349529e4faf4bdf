import { expect, it } from 'vitest';
import { groupUnjudged } from '../../../reporting/report/unjudged-groups.ts';

const blocked = (id: string, blockedBy: string | null, reason: string) => ({ id, blockedBy, reason });

it('joins the checks that one failed check blocks, whatever the server returned', () => {
  const groups = groupUnjudged([
    blocked('A', 'LIST-01.items', 'the list has no items: [1]'),
    blocked('B', 'LIST-01.items', 'the list has no items: [2]'),
    blocked('C', 'actors.buyer of the target file', 'the key is missing'),
    blocked('D', 'actors.buyer of the target file', 'the key lacks permission'),
    blocked('E', 'target', 'the target stopped responding'),
  ]);
  expect(
    groups.map(({ blockedBy, reason, checks }) => [blockedBy, reason, checks.map(({ id }) => id).join('')]),
  ).toEqual([
    ['target', 'the target stopped responding', 'E'],
    ['LIST-01.items', 'the list has no items: [1]', 'AB'],
    ['actors.buyer of the target file', 'the key is missing', 'C'],
    ['actors.buyer of the target file', 'the key lacks permission', 'D'],
  ]);
});
