import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { sharedKeyProblems } from '../../../engine/preflight/shared-keys.ts';
import type { ActorName } from '../../../specs/target-file/target.ts';
import { buyer, seller, targetAt } from '../support/targets.ts';

const outsider = { key: 'svc_sand_outsider', secret: 'secret-of-the-outsider' };
const readOnly = { key: 'svc_sand_read_only', secret: 'secret-of-the-read-only-key' };
const { actors } = targetAt('https://a.example', { actors: { seller, buyer, outsider, readOnly } });
const invoice = { id: 'inv-1', seller: 'org-seller', buyer: 'org-buyer' };

interface Server {
  /** The organization for which a key may create; null for any. */
  writes: Partial<Record<ActorName, string | null>>;
  outsiderSees?: boolean;
  /** What the outsider's list shows besides. */
  listed?: object[];
  /** Organization id of the outsider in the target file. */
  outsiderId?: string;
  /** The response to a rejected creation. */
  refusal?: object;
}

const PARTIES = { sellerOrganizationId: 'org-seller', buyerOrganizationId: 'org-buyer' };

const response = (status: number, json: object) =>
  ({ status, json, text: JSON.stringify(json), mask: (text: string) => text }) as unknown as ApiResponse;

async function problemsOf({ writes, outsiderSees = false, listed = [], outsiderId, ...more }: Server) {
  const { refusal = { error: 'Forbidden' } } = more;
  const third = { ...outsider, ...(outsiderId !== undefined && { organizationId: outsiderId }) };
  const asked: string[] = [];
  const problems = await sharedKeyProblems(
    { actors: { ...actors, outsider: third } },
    {
      create: async (as, sellerId) => {
        asked.push(`create as ${as} for ${sellerId}`);
        const mayWrite = writes[as] === null || writes[as] === sellerId;
        return mayWrite ? response(201, { id: 'inv-2' }) : response(403, refusal);
      },
      list: async (as) => {
        asked.push(`list as ${as}`);
        return response(200, { items: outsiderSees ? [{ id: 'inv-1', ...PARTIES }, ...listed] : [] });
      },
    },
    invoice,
  );
  return { problems, asked };
}

test('three organizations cost two rejected creations and one list', async () => {
  const { problems, asked } = await problemsOf({ writes: { buyer: 'org-buyer', outsider: 'org-outsider' } });
  expect(problems).toEqual([]);
  expect(asked).toEqual(['create as buyer for org-seller', 'create as readOnly for org-buyer', 'list as outsider']);
});

test.each(['org-seller', 'org-buyer'])(
  'an outsider that creates for %s and lists its invoices belongs to that organization',
  async (own) => {
    const { problems } = await problemsOf({ writes: { buyer: 'org-buyer', outsider: own }, outsiderSees: true });
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^actors\\.outsider: .* belongs to the ${own.slice(4)}'s organization`)),
    ]);
  },
);

test.each([undefined, 'org-outsider'])(
  'an outsider that lists only invoices of the seller and may create none, not even its own (%s), is a read-only key',
  async (outsiderId) => {
    const server = { writes: { buyer: 'org-buyer' }, outsiderSees: true, ...(outsiderId && { outsiderId }) };
    const { problems } = await problemsOf(server);
    expect(problems).toEqual([
      expect.stringMatching(
        /^actors\.outsider: .* may create none \(403 .*read-only key .*; write a key of a third org/,
      ),
    ]);
    expect(problems[0]?.includes('or write actors.outsider.organizationId')).toBe(outsiderId === undefined);
  },
);

test('an outsider that lists invoices of others, or gets another rejection for its own, is left to the checks', async () => {
  const foreign = { id: 'inv-9', sellerOrganizationId: 'org-outsider', buyerOrganizationId: 'org-partner' };
  const writes = { buyer: 'org-buyer' };
  const leak = await problemsOf({ writes, outsiderSees: true, listed: [foreign] });
  const unconnected = await problemsOf({
    writes,
    outsiderSees: true,
    refusal: { code: 'GW_ENVIRONMENT_KEY_MISMATCH' },
  });
  const own = { buyer: 'org-buyer', outsider: 'org-outsider' };
  const allowed = await problemsOf({ writes: own, outsiderSees: true, outsiderId: 'org-outsider' });
  expect([leak, unconnected, allowed].map(({ problems }) => problems)).toEqual([[], [], []]);
});

test('a buyer that creates for the seller but not for itself is the seller', async () => {
  const { problems } = await problemsOf({ writes: { buyer: 'org-seller', outsider: 'org-outsider' } });
  expect(problems).toEqual([expect.stringMatching(/^actors\.buyer: .* belongs to the seller's organization/)]);
});

test('a readOnly key that creates for the buyer but not for the seller is a full key of the buyer', async () => {
  const { problems } = await problemsOf({ writes: { buyer: 'org-buyer', readOnly: 'org-buyer' } });
  expect(problems).toEqual([expect.stringMatching(/^actors\.readOnly: .* is a key of the buyer that may change data/)]);
  const unlimited = await problemsOf({ writes: { buyer: 'org-buyer', readOnly: 'org-seller' } });
  expect(unlimited.problems).toEqual([]);
});

test('a server that breaks one requirement, or separates no organizations, is left to the checks', async () => {
  const leak = await problemsOf({
    writes: { buyer: 'org-buyer', outsider: 'org-outsider' },
    outsiderSees: true,
    outsiderId: 'org-outsider',
  });
  const anybody = await problemsOf({ writes: { buyer: null, outsider: null, readOnly: null } });
  const open = await problemsOf({ writes: { buyer: null, outsider: null, readOnly: null }, outsiderSees: true });
  const oneWay = await problemsOf({
    writes: { buyer: 'org-seller', outsider: 'org-outsider' },
    refusal: { code: 'CONN003' },
  });
  expect([leak, anybody, open, oneWay].map(({ problems }) => problems)).toEqual([[], [], [], []]);
});
