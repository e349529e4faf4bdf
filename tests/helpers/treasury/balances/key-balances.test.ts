import { describe, expect, test } from 'vitest';
import { findDivergentBalance } from '../../../../helpers/treasury/balances/key-balances.ts';
import { scripted } from '../../support/contexts.ts';

const SELLER = 'org-seller';
const READER = { key: 'svc_sand_reader', secret: 'secret-of-the-reader' };

/**
 * The breach if the read-only key gets a balance of 7.00 in place of the seller's 5.00. The key lists invoices with these
 * partners of the seller.
 */
async function found(
  reader: object,
  partners: readonly string[],
  { seller = SELLER, production = '7.00' }: { seller?: string | undefined; production?: string | null } = {},
) {
  const balances: Record<string, string | null> = { readOnly: '7.00', production };
  const items = partners.map((id) => ({ sellerOrganizationId: seller, buyerOrganizationId: id }));
  const { ctx } = scripted(
    ({ operation, actor }) =>
      operation === 'list'
        ? { status: 200, json: { items } }
        : { status: 200, json: { available: balances[actor ?? ''] ?? '5.00' } },
    {
      actors: {
        seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' },
        readOnly: { ...READER, ...reader },
        ...(production !== null && { production: { key: 'svc_prod_seller', secret: 'secret-of-production' } }),
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

  test.each([
    ['production has another balance', '8.00'],
    ['no production key is given', null],
  ])('may be its own if %s', async (_, production) => {
    expect(await found({ organizationId: SELLER }, [], { production })).toBeNull();
  });

  test('blocks the check if it is that of the buyer, and nothing shows whose key it is', async () => {
    const balances: Record<string, string> = { seller: '5.00', readOnly: '7.00', buyer: '7.00' };
    const { ctx } = scripted(
      ({ operation, actor }) =>
        operation === 'list'
          ? { status: 200, json: { items: [{ sellerOrganizationId: SELLER, buyerOrganizationId: 'org-1' }] } }
          : { status: 200, json: { available: balances[actor ?? ''] } },
      {
        actors: {
          seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' },
          buyer: { key: 'svc_sand_buyer', secret: 'secret-of-the-buyer' },
          readOnly: READER,
        },
      },
    );
    Object.assign(ctx.run.plan.organizations, { readOnly: SELLER });
    await expect(findDivergentBalance(ctx)).rejects.toMatchObject({ blockedBy: 'actors.readOnly of the target file' });
    balances.buyer = '8.00';
    expect(await findDivergentBalance(ctx)).toBeNull();
  });

  test.each<[string, readonly string[], string?]>([
    ['it lists no invoice', []],
    ['all its invoices have one partner, which may own the key', ['org-1', 'org-1']],
    ['its invoices are of another organization', ['org-1', 'org-2'], 'org-3'],
  ])('is not compared if %s', async (_, partners, seller) => {
    expect(await found({}, partners, { seller })).toBeNull();
  });
});
