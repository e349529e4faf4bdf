import { listInvoices } from '../../api/operations.ts';
import { headerValue, is2xx, type JsonObject } from '../../api/responses.ts';
import { expectThat } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { parsePage } from '../../invoices/list-page.ts';
import { isForeignInvoice } from '../foreign-invoices.ts';
import { NEWEST_SORT } from '../order-checks.ts';
import { expectOnlyOwn } from './widened-lists.ts';

/** No other check sends these queries, so a cached response to them belongs to this check. */
const [SELLER_FIRST, OUTSIDER_FIRST] = [
  { ...NEWEST_SORT, page: 0, limit: 89 },
  { ...NEWEST_SORT, page: 0, limit: 88 },
];

function skipUnlessAnyForeign(records: readonly JsonObject[], own: string): void {
  if (!records.some((record) => isForeignInvoice(record, own)))
    notApplicable('the seller lists no invoice to which the third organization is not a party');
}

/** Two organizations send the same request one after the other, in both orders. Each must get its own list. */
export async function expectSeparateLists(ctx: CheckContext): Promise<void> {
  const own = ctx.organizationId('outsider');
  const list = async (name: 'seller' | 'outsider', query: object, headers: [string, string][] = []) =>
    await listInvoices(ctx, query, { as: ctx.credentials(name), headers });
  const sellers = await list('seller', SELLER_FIRST);
  const { records, total } = parsePage(sellers);
  skipUnlessAnyForeign(records, own);
  const tag = headerValue(sellers, 'etag');
  const outsiders = await list('outsider', SELLER_FIRST, tag === undefined ? [] : [['If-None-Match', tag]]);
  if (outsiders.status === 304) {
    // One ETag for every list, such as the revision of the table, is not wrong if each caller sends the one it got.
    const plain = await list('outsider', SELLER_FIRST);
    const because = `the server confirms the ETag ${tag} of the seller's list, but the ETag of the third organization's own list is ${headerValue(plain, 'etag')}`;
    expectThat(ctx, headerValue(plain, 'etag') === tag, outsiders, 'the list of the third organization', because);
    expectOnlyOwn(ctx, plain, own);
  } else expectOnlyOwn(ctx, outsiders, own);
  if (!is2xx(await list('outsider', OUTSIDER_FIRST))) return;
  const again = await list('seller', OUTSIDER_FIRST);
  const shown = parsePage(again);
  const expected = `the list of the seller with total ${total}, as just before`;
  const different = `the list has total ${shown.total} after the same request by the third organization`;
  expectThat(ctx, is2xx(again) && shown.total === total, again, expected, different);
}
