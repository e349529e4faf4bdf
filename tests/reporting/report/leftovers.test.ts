import { expect, test } from 'vitest';
import { countLeftovers, splitLeftovers } from '../../../reporting/report/leftovers.ts';

test('leftovers that the contract offers no action for are permanent', () => {
  const leftovers = [
    'invoice SETTLED',
    'invoice APPROVED',
    'withdrawal',
    'invoice DISPUTED',
    'production invoice DRAFT',
  ];
  const { permanent, removable } = splitLeftovers({
    leftovers: [...leftovers, 'webhook subscription'].map((what) => ({ what, id: '1', reason: 'why' })),
  });
  expect(permanent.map(({ what }) => what)).toEqual(['invoice SETTLED', 'invoice APPROVED', 'withdrawal']);
  expect(countLeftovers(removable)).toBe('1 DISPUTED invoice, 1 production DRAFT invoice and 1 webhook subscription');
});
