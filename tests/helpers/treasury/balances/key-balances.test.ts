import { describe, expect, test } from 'vitest';
import { findDivergentBalance } from '../../../../helpers/treasury/balances/key-balances.ts';
import { scripted } from '../../support/contexts.ts';

const SELLER = 'org-seller';
const READER = { key: 'svc_sand_reader', secret: 'secret-of-the-reader' };

/** The breach if the read-only key gets another balance. The key lists invoices with these partners of the seller. */
async function found(reader: object, partners: readonly string[], seller = SELLER) {
  const items = partners.map((id) => ({ sellerOrganizationId: seller, buyerOrganizationId: id }));
  const { ctx } = scripted(
    ({ operation, actor }) =>
      operation === 'list'
        ? { status: 200, json: { items } }
        : { status: 200, json: { available: actor === 'readOnly' ? '7.00' : '5.00' } },
    {
      actors: {
        seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' },
        readOnly: { ...READER, ...reader },
      },
    },
  );
  Object.assign(ctx.run.plan.organizations, { readOnly: SELLER });
  return (await findDivergentBalance(ctx))?.because ?? null;
}

describe('the balance for the read-only key', () => {
  test('is compared if the target file gives its organization, or its invoices show it', async () => {
    expect(await found({ organizationId: SELLER }, [])).toBe('/available is 7');
    expect(await found({}, ['org-1', 'org-2'])).toBe('/available is 7');
  });

  test.each<[string, readonly string[], string?]>([
    ['it lists no invoice', []],
    ['all its invoices have one partner, which may own the key', ['org-1', 'org-1']],
    ['its invoices are of another organization', ['org-1', 'org-2'], 'org-3'],
  ])('is not compared if %s', async (_, partners, seller) => {
    expect(await found({}, partners, seller)).toBeNull();
  });
});
