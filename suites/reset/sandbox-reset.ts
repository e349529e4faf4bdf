import { listInvoices, NEWEST_FIRST, readInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, describeResponse, is2xx, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { expectAccepted, expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { removeAllFromProduction } from '../../helpers/cleanup/production-removal.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, checkInPhase } from '../../helpers/context/check.ts';
import {
  createProductionInvoice,
  type ProductionInvoice,
  waitForProductionState,
} from '../../helpers/environments/production-invoices.ts';
import { readProductionPage, requestReset, resetSandboxOnce } from '../../helpers/environments/sandbox-reset.ts';
import { ifReachable } from '../../helpers/invoices/invoices.ts';
import { parsePage } from '../../helpers/invoices/list-page.ts';
import { centsByPlace } from '../../helpers/treasury/balances/balance.ts';
import { readProductionBalance } from '../../helpers/treasury/balances/production-balance.ts';

async function skipUnlessResetAccepted(ctx: CheckContext): Promise<ApiResponse | null> {
  const { response, production } = await resetSandboxOnce(ctx);
  if (!isSuccess(response)) notApplicable('the server rejected the reset', { judgedBy: 'RESET-01.accepted' });
  return production;
}

const listedIds = (response: ApiResponse) => listItems(response).map(({ id }) => String(id));

/**
 * Ids that the second response should still show. Production traffic continues: each new invoice may push one off the
 * page, and users delete drafts.
 */
function lostIds(before: ApiResponse, after: ApiResponse): string[] {
  const [then, now] = [new Set(listedIds(before)), new Set(listedIds(after))];
  const added = [...now].filter((id) => !then.has(id)).length;
  const gone = listItems(before).filter(({ id, status }) => !now.has(String(id)) && status !== 'DRAFT');
  return gone.length > added ? gone.map(({ id }) => String(id)) : [];
}

/** Whether every open invoice changed its state. Single changes come from production users, not from a reset. */
function isEveryOpenInvoiceChanged(before: ApiResponse, after: ApiResponse): boolean {
  const now = new Map(listItems(after).map(({ id, status }) => [id, status]));
  const open = listItems(before).filter(({ status }) => status !== 'SETTLED' && status !== 'CANCELLED');
  return open.length > 0 && open.every(({ id, status }) => now.get(id) !== status);
}

/** Whether an incomplete first page has a total above the number of its records. */
function isTotalTooHigh(response: ApiResponse): boolean {
  const { records, total, limit, page } = parsePage(response);
  return is2xx(response) && page === 0 && records.length < limit && total > records.length;
}

/** Throws a Breach if the production list is rejected, lost invoices, or shows all its open invoices in another state. */
function expectProductionUnchanged(ctx: CheckContext, before: ApiResponse, after: ApiResponse): void {
  const expected = 'the production invoices as before the reset';
  const hasSameStatus = after.status === before.status;
  expectThat(ctx, hasSameStatus, after, expected, `the production list returned ${before.status} before the reset`);
  const lost = lostIds(before, after);
  const because =
    lost.length > 0
      ? `the list no longer contains ${lost.length} of the production invoices, for example ${lost[0]}`
      : `the response before the reset was ${describeResponse(before)}`;
  const same = lost.length === 0 && !isEveryOpenInvoiceChanged(before, after);
  expectThat(ctx, same, after, expected, because);
}

/** Only the existence is checked, because a draft may expire spontaneously. */
async function expectStillInProduction(ctx: CheckContext, { id, state }: ProductionInvoice): Promise<void> {
  const { record, response } = await waitForProductionState(ctx, id, state);
  const expected = `production invoice ${id} as before the reset`;
  expectThat(ctx, record !== null, response, expected, 'the invoice no longer exists');
}

export const sandboxResetChecks: readonly Check[] = [
  checkInPhase('reset', 'RESET-01.accepted', ['reset', 'seller'], async (ctx) => {
    const { response } = await resetSandboxOnce(ctx);
    blockIfForbidden(response);
    expectAccepted(ctx, response, 'a reset by a sandbox key');
  }),

  checkInPhase('reset', 'RESET-01.keys-ended', ['reset', 'seller'], async (ctx) => {
    const { read } = await resetSandboxOnce(ctx);
    await skipUnlessResetAccepted(ctx);
    if (read) {
      const request = () => readInvoice(ctx, read, { as: ctx.credentials('seller') });
      expectRejected(ctx, await pollUntil(ctx, request, ({ status }) => status === 401, 'ends keys by a reset'), [401]);
    }
    // A reset must not reactivate the key that was revoked before.
    for (const name of ['seller', 'readOnly', 'revoked'] as const) {
      if (!ctx.target.actors[name]) continue;
      const request = () => listInvoices(ctx, {}, { as: ctx.credentials(name) });
      expectRejected(ctx, await pollUntil(ctx, request, ({ status }) => status === 401, 'ends keys by a reset'), [401]);
    }
    if (!ctx.target.actors.buyer) return;
    const seen = await listInvoices(ctx, { page: 0, limit: 100 }, { as: ctx.credentials('buyer') });
    ctx.observe(
      'reset-counterparty',
      is2xx(seen) ? `lists ${listItems(seen).length > 0 ? 'invoices' : 'none'}` : seen.status,
    );
  }),

  checkInPhase(
    'reset',
    'RESET-02.production-funds',
    ['reset', 'seller', 'production', 'treasuryBalance'],
    async (ctx) => {
      const { funds } = await resetSandboxOnce(ctx);
      await skipUnlessResetAccepted(ctx);
      if (!funds) return notApplicable('the production balance cannot be read');
      const after = await readProductionBalance(ctx);
      // The largest number is at least the funds. Smaller ones, such as pending payments, may become 0 at any time.
      const [most] = [...centsByPlace(funds)].sort(([, one], [, other]) => other - one);
      const [place, cents] = most ?? ['', 0];
      const emptied = cents > 0 && centsByPlace(after).get(place) === 0;
      const because = `${place} was ${cents / 100} before the reset and is now 0`;
      expectThat(ctx, !emptied, after, 'the production balance as before the reset', because);
    },
  ),

  checkInPhase('reset', 'RESET-02.production-untouched', ['reset', 'seller', 'production'], async (ctx) => {
    const before = await skipUnlessResetAccepted(ctx);
    const after = await readProductionPage(ctx);
    if (!before || !after) return notApplicable('production is not deployed at this target');
    if (listItems(before).length === 0) return notApplicable('production has no invoices');
    expectProductionUnchanged(ctx, before, after);
  }),

  checkInPhase(
    'production-reset',
    'RESET-02.production-key',
    ['reset', 'seller', 'production', 'productionWrites'],
    async (ctx) => {
      const [own] = await ifReachable(() => createProductionInvoice(ctx));
      const before = await readProductionPage(ctx);
      // The contract does not say whether a production key may reset.
      const response = await requestReset(ctx, { as: ctx.credentials('production') });
      ctx.observe('reset-by-production', response.status);
      const after = await readProductionPage(ctx);
      if (!before || !after) return notApplicable('production is not deployed at this target');
      expectProductionUnchanged(ctx, before, after);
      if (!own) return;
      await expectStillInProduction(ctx, own);
      await removeAllFromProduction(ctx);
    },
  ),

  checkInPhase('reset', 'RESET-05.counterparty', ['reset', 'connection', 'buyer', 'read'], async (ctx) => {
    // The one reset lists these invoices before it runs, because no other check may remove them.
    const { shared } = await resetSandboxOnce(ctx);
    await skipUnlessResetAccepted(ctx);
    if (shared.length === 0) return notApplicable('the buyer did not see the invoices before the reset');
    for (const id of shared) {
      const request = () => readInvoice(ctx, id, { as: ctx.credentials('buyer') });
      const response = await pollUntil(ctx, request, (response) => !is2xx(response), 'removes invoices by a reset');
      const because = "the buyer can still read an invoice that the seller's reset should remove";
      expectThat(ctx, !is2xx(response), response, `no invoice ${id} after the reset`, because, { status: 'rejection' });
    }
  }),

  checkInPhase('reset', 'RESET-05.listed', ['reset', 'connection', 'buyer', 'read'], async (ctx) => {
    const { shared } = await resetSandboxOnce(ctx);
    await skipUnlessResetAccepted(ctx);
    if (shared.length === 0) return notApplicable('the buyer did not see the invoices before the reset');
    const request = () => listInvoices(ctx, NEWEST_FIRST, { as: ctx.credentials('buyer') });
    const shows = (seen: ApiResponse) => listedIds(seen).find((id) => shared.includes(id));
    const response = await pollUntil(
      ctx,
      request,
      (seen) => !shows(seen) && !isTotalTooHigh(seen),
      'removes invoices by a reset',
    );
    const left = shows(response);
    expectThat(ctx, !left, response, 'no invoice that the reset should remove', `the list shows invoice ${left}`);
    const { total, records } = parsePage(response);
    const because = `the total is ${total}, and the list shows ${records.length} invoices`;
    expectThat(ctx, !isTotalTooHigh(response), response, 'a total that counts only the remaining invoices', because);
  }),
];
