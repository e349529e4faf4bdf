import { expect, test } from 'vitest';
import { isForeignInvoice } from '../../../helpers/lists/foreign-invoices.ts';

test.each([
  [{ sellerOrganizationId: 'a', buyerOrganizationId: 'b' }, true],
  [{ sellerOrganizationId: 'OWN', buyerOrganizationId: 'b' }, false],
  [{ sellerOrganizationId: 'a', buyerOrganizationId: 'own' }, false],
  [{ sellerOrganizationId: 'a' }, false],
  [{ sellerOrganizationId: 'a', buyerOrganizationId: null }, false],
  [{ sellerOrganizationId: 'a', buyerOrganizationId: '' }, false],
])('%j is of other organizations than own: %s', (record, expected) => {
  expect(isForeignInvoice(record, 'own')).toBe(expected);
});
