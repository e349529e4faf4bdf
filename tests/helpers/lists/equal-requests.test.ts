import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { expectSeparateLists } from '../../../helpers/lists/queries/equal-requests.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const actors = {
  seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' },
  outsider: { key: 'svc_sand_outsider', secret: 'secret-of-the-outsider' },
};
const invoice = { id: 'inv-1', sellerOrganizationId: 'org-seller', buyerOrganizationId: 'org-buyer' };

/** A server with ETags. It confirms each tag that it gave to anybody. */
function server(tagOf: (actor: string) => string) {
  return ({ actor, headers = [] }: ApiRequest): Reply => {
    const name = String(actor);
    const items = name === 'seller' ? [invoice] : [];
    const given = headers.find(([header]) => header === 'If-None-Match')?.[1];
    if (given !== undefined) return { status: 304 };
    const json = { items, total: items.length, totalPages: 1, page: 0, limit: 89 };
    return { status: 200, json, headers: [['etag', tagOf(name)]] };
  };
}

const plan = { organizations: { seller: 'org-seller', buyer: 'org-buyer', outsider: 'org-outsider' } };

test('one ETag for the lists of all organizations, such as a revision, is not wrong', async () => {
  const { ctx } = scripted(
    server(() => 'W/"revision-7"'),
    { actors },
    plan,
  );
  await expect(expectSeparateLists(ctx)).resolves.toBeUndefined();
});

test('an ETag that is confirmed to another organization than its own is wrong', async () => {
  const { ctx } = scripted(
    server((name) => `"${name}"`),
    { actors },
    plan,
  );
  await expect(expectSeparateLists(ctx)).rejects.toThrow(
    `but the ETag of the third organization's own list is "outsider"`,
  );
});
