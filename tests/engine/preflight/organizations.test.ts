import { describe, expect, test } from 'vitest';
import {
  completeOrganizations,
  discoverOrganization,
  hasSwappedOrganizations,
  organizationContradictions,
} from '../../../engine/preflight/organizations.ts';
import type { TargetInput } from '../../../specs/target-file/target.ts';
import { invoice } from '../support/responses.ts';
import { buyer, production, seller, targetAt } from '../support/targets.ts';

const outsider = { key: 'svc_sand_outsider_04', secret: 'secret-of-the-outsider' };
const between = (sellerId: string, buyerId: string, more = {}) =>
  invoice({ id: `${sellerId}-${buyerId}`, sellerOrganizationId: sellerId, buyerOrganizationId: buyerId, ...more });

const OWN = [between('S', 'B'), between('S', 'C')];

function said(changes: Partial<TargetInput>, lists: Record<string, object[]>, found: Record<string, string> = {}) {
  const target = targetAt('http://127.0.0.1:1', changes);
  return organizationContradictions(
    target,
    found,
    new Map(Object.entries(lists)) as Parameters<typeof organizationContradictions>[2],
  );
}

describe('invoice records contradict', () => {
  test('an organization id that they do not have in common', () => {
    const actors = { seller: { ...seller, organizationId: 'X' } };
    expect(said({ actors }, { seller: OWN })).toEqual([
      'actors.seller.organizationId: not all of the 2 invoices that this key lists name X, but all of them name S; write the organization id of this key, or correct the key',
    ]);
  });

  test('a seller and a buyer of one organization', () => {
    const lists = { seller: OWN, buyer: OWN };
    expect(said({ actors: { seller, buyer } }, lists)).toEqual([
      expect.stringMatching(/^actors\.buyer: this key belongs to S/),
    ]);
  });

  test('an outsider of the buyer’s organization', () => {
    const ofBuyer = [between('S', 'B'), between('T', 'B')];
    const lists = { seller: OWN, buyer: ofBuyer, outsider: ofBuyer };
    expect(said({ actors: { seller, buyer, outsider } }, lists)).toEqual([
      expect.stringMatching(/^actors\.outsider: this key belongs to B, the organization of actors\.buyer/),
    ]);
  });

  test('a production key of another organization than the seller’s', () => {
    const lists = { seller: OWN, production: [between('T', 'B')] };
    expect(said({ actors: { seller, production } }, lists, { seller: 'S' })).toEqual([
      expect.stringMatching(/^actors\.production: the invoices of this key belong to T and B/),
    ]);
  });

  test('a counterparty that is no UUID, if the organizations of the invoices are', () => {
    const seller = '9ee3ad3f-24e0-43e2-a2c9-b49064d21191';
    expect(said({ counterparties: { suspended: 'org-7' } }, {}, { seller })).toEqual([
      "counterparties.suspended: is not a UUID, unlike the ids in the seller's invoices; write the organization id that the service shows",
    ]);
    expect(said({ counterparties: { suspended: 'org-7' } }, {}, { seller: 'org-1' })).toEqual([]);
    expect(said({ counterparties: { suspended: seller.replace('9', '8') } }, {}, { seller })).toEqual([]);
  });

  test.each([['unconnected'], ['suspended']] as const)('a counterparty %s that is the buyer', (name) => {
    const found = { seller: 'S', buyer: 'B' };
    expect(said({ counterparties: { [name]: 'B' } }, {}, found)).toEqual([
      expect.stringMatching(new RegExp(`^counterparties\\.${name}: B is the organization of actors\\.buyer`)),
    ]);
  });

  test('an unconnected organization that has invoices with the seller, except those of earlier runs', () => {
    const lists = (description: string) => ({ seller: [between('S', 'U', { description })] });
    const counterparties = { unconnected: 'U' };
    expect(said({ counterparties }, lists('Chairs'))).toEqual([expect.stringMatching(/^counterparties\.unconnected/)]);
    expect(said({ counterparties }, lists('Chairs (conformance 1a2b3c4d 7)'))).toEqual([]);
  });
});

const numbered = (ids: readonly number[]) => ids.map((id) => between('S', 'B', { id: String(id) }));

test("a read-only key belongs to the buyer if it lists none of the seller's own invoices", () => {
  const actors = { seller, buyer, readOnly: outsider };
  const lists = { seller: numbered([1, 2, 3, 4, 5]), buyer: numbered([1, 2, 3]) };
  const line = expect.stringMatching(/^actors\.readOnly: this key lists the invoices of actors\.buyer/);
  expect(said({ actors }, { ...lists, readOnly: lists.buyer })).toEqual([line]);
  expect(said({ actors }, { ...lists, readOnly: lists.seller })).toEqual([]);
  expect(said({ actors }, { ...lists, readOnly: [] })).toEqual([]);
  // One invoice was created or deleted while the lists were read.
  const all = numbered([1, 2, 3, 4]);
  expect(said({ actors }, { seller: all, buyer: numbered([1, 2, 3]), readOnly: numbered([1, 2, 3]) })).toEqual([]);
});

describe('invoice records do not contradict', () => {
  test('an outsider that lists only invoices of others, which may be a breach of the server', () => {
    const actors = { seller, buyer, outsider: { ...outsider, organizationId: 'O' } };
    const lists = { seller: [between('S', 'B')], buyer: [between('S', 'B')], outsider: [between('S', 'B')] };
    expect(said({ actors }, lists, { seller: 'S', buyer: 'B' })).toEqual([]);
  });

  test('anything without records', () => {
    const actors = { seller: { ...seller, organizationId: 'S' }, buyer: { ...buyer, organizationId: 'B' } };
    expect(said({ actors }, { seller: [], buyer: [] }, { seller: 'S', buyer: 'B' })).toEqual([]);
  });
});

test('ids are swapped if every invoice names them in opposite roles', () => {
  const actors = { seller: { ...seller, organizationId: 'B' }, buyer: { ...buyer, organizationId: 'S' } };
  const target = targetAt('http://127.0.0.1:1', { actors });
  expect(hasSwappedOrganizations(target, new Map([['seller', [between('S', 'B')]]]))).toBe(true);
  expect(hasSwappedOrganizations(target, new Map([['seller', [between('S', 'B'), between('B', 'S')]]]))).toBe(false);
  expect(hasSwappedOrganizations(target, new Map())).toBe(false);
});

test("the seller's organization comes from its other keys if its own lists no invoice", () => {
  const target = targetAt('http://127.0.0.1:1', { actors: { seller, buyer, production } });
  expect(completeOrganizations({ production: 'S' }, target, new Map())).toEqual({ production: 'S', seller: 'S' });
});

test('for a single pair, the name of the actor decides the side; an outsider has none', () => {
  expect(discoverOrganization('seller', [between('S', 'B')])).toBe('S');
  expect(discoverOrganization('buyer', [between('S', 'B')])).toBe('B');
  expect(discoverOrganization('outsider', [between('S', 'B')])).toBeNull();
});
