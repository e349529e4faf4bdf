import { listInvoices, NEWEST_FIRST, readInvoice } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { describeResponse, is2xx, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { expectAccepted, expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { removeAllFromProduction } from '../../helpers/clean-up/production-removal.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { createProductionInvoice, waitForProductionState } from '../../helpers/environments/production-invoices.ts';
import { readProductionPage, requestReset, resetSandboxOnce } from '../../helpers/environments/sandbox-reset.ts';
import { ifReachable } from '../../helpers/invoices/invoices.ts';
import { parsePage } from '../../helpers/invoices/list-page.ts';
import { centsByPlace } from '../../helpers/treasury/balances/balance.ts';
import { readProductionBalance } from '../../helpers/treasury/balances/production-balance.ts';

async function skipUnlessResetAccepted(ctx: CheckContext): Promise<ApiResponse | null> {
  const { answer: response, production } = await resetSandboxOnce(ctx);
  if (!isSuccess(response)) notApplicable('the reset was not accepted; RESET-01.accepted judges that');
  return production;
}

const listedIds = (response: ApiResponse) => listItems(response).map(({ id }) => String(id));

/**
 * Ids that the first answer shows and the second should. Production goes on meanwhile: each new invoice may push one off the
 * page, and people delete drafts.
 */
function lostIds(before: ApiResponse, after: ApiResponse): string[] {
  const [then, now] = [new Set(listedIds(before)), new Set(listedIds(after))];
  const added = [...now].filter((id) => !then.has(id)).length;
  const gone = listItems(before).filter(({ id, status }) => !now.has(String(id)) && status !== 'DRAFT');
  return gone.length > added ? gone.map(({ id }) => String(id)) : [];
}

/** Whether everything that could still move has moved: what single people do in production is no reset. */
function isEveryOpenInvoiceChanged(before: ApiResponse, after: ApiResponse): boolean {
  const now = new Map(listItems(after).map(({ id, status }) => [id, status]));
  const open = listItems(before).filter(({ status }) => status !== 'SETTLED' && status !== 'CANCELLED');
  return open.length > 0 && open.every(({ id, status }) => now.get(id) !== status);
}

/** Whether a first page that is not full counts more than it shows. */
function isTotalTooHigh(response: ApiResponse): boolean {
  const { records, total, limit, page } = parsePage(response);
  return is2xx(response) && page === 0 && records.length < limit && total > records.length;
}

/** Throws a Breach where the production list has lost something, or has moved as no single person moves it. */
function expectProductionUnchanged(ctx: CheckContext, before: ApiResponse, after: ApiResponse): void {
  const lost = lostIds(before, after);
  const because =
    lost.length > 0
      ? `${lost.length} of them are gone, ${lost[0]} among them`
      : `before the reset ${describeResponse(before)}`;
  const same = after.status === before.status && lost.length === 0 && !isEveryOpenInvoiceChanged(before, after);
  expectThat(ctx, same, after, 'the production invoices as before the reset', because);
}

export const sandboxResetChecks: readonly Check[] = [
  checkInPhase('reset', 'RESET-01.accepted', ['reset', 'seller'], async (ctx) => {
    const { answer: response } = await resetSandboxOnce(ctx);
    blockIfForbidden(response);
    expectAccepted(ctx, response, 'a reset by a sandbox key');
  }),

  checkInPhase('reset', 'RESET-01.keys-ended', ['reset', 'seller'], async (ctx) => {
    const { read } = await resetSandboxOnce(ctx);
    await skipUnlessResetAccepted(ctx);
    if (read) {
      const ask = () => readInvoice(ctx, read, { as: ctx.credentials('seller') });
      expectRejected(ctx, await pollUntil(ctx, ask, ({ status }) => status === 401), [401]);
    }
    // Nor does it make good what was ended before.
    for (const name of ['seller', 'readOnly', 'revoked'] as const) {
      if (!ctx.target.actors[name]) continue;
      const ask = () => listInvoices(ctx, {}, { as: ctx.credentials(name) });
      expectRejected(ctx, await pollUntil(ctx, ask, ({ status }) => status === 401), [401]);
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
      if (!funds) return notApplicable('the balance of production cannot be had');
      const after = await readProductionBalance(ctx);
      // Of what the balance tells, the largest is no less than the funds; what waits to be paid may come to nothing at any moment.
      const [most] = [...centsByPlace(funds)].sort(([, one], [, other]) => other - one);
      const [place, cents] = most ?? ['', 0];
      const emptied = cents > 0 && centsByPlace(after).get(place) === 0;
      const because = `${place} was ${cents / 100} before the reset and is 0 now`;
      expectThat(ctx, !emptied, after, 'the production balance as before the reset', because);
    },
  ),

  checkInPhase('reset', 'RESET-02.production-untouched', ['reset', 'seller', 'production'], async (ctx) => {
    const before = await skipUnlessResetAccepted(ctx);
    const after = await readProductionPage(ctx);
    if (!before || !after) return notApplicable('production is not deployed at this target');
    expectProductionUnchanged(ctx, before, after);
  }),

  checkInPhase(
    'production-reset',
    'RESET-02.production-key',
    ['reset', 'seller', 'production', 'productionWrites'],
    async (ctx) => {
      const [own] = await ifReachable(() => createProductionInvoice(ctx));
      const before = await readProductionPage(ctx);
      // Whether it may is not shown.
      const response = await requestReset(ctx, { as: ctx.credentials('production') });
      ctx.observe('reset-by-production', response.status);
      const after = await readProductionPage(ctx);
      if (!before || !after) return notApplicable('production is not deployed at this target');
      expectProductionUnchanged(ctx, before, after);
      if (!own) return;
      const { record, response: seen } = await waitForProductionState(ctx, own.id, own.state);
      // A draft may expire by itself: that it is there is what a reset of the sandbox has to leave.
      expectThat(ctx, record !== null, seen, `production invoice ${own.id} as before the reset`, 'it is gone');
      await removeAllFromProduction(ctx);
    },
  ),

  checkInPhase('reset', 'RESET-05.counterparty', ['reset', 'connection', 'buyer', 'read'], async (ctx) => {
    // Before anything else resets: the run has tidied up, and this one is meant to stay.
    const { shared } = await resetSandboxOnce(ctx);
    await skipUnlessResetAccepted(ctx);
    if (shared.length === 0) return notApplicable('the buyer did not see the invoices before the reset either');
    for (const id of shared) {
      const ask = () => readInvoice(ctx, id, { as: ctx.credentials('buyer') });
      const response = await pollUntil(ctx, ask, (response) => !is2xx(response));
      const because = 'it still reads an invoice that the reset of the seller was to clear';
      expectThat(ctx, !is2xx(response), response, `no invoice ${id} any more`, because);
    }
  }),

  checkInPhase('reset', 'RESET-05.listed', ['reset', 'connection', 'buyer', 'read'], async (ctx) => {
    const { shared } = await resetSandboxOnce(ctx);
    await skipUnlessResetAccepted(ctx);
    if (shared.length === 0) return notApplicable('the buyer did not see the invoices before the reset either');
    const ask = () => listInvoices(ctx, NEWEST_FIRST, { as: ctx.credentials('buyer') });
    const shows = (seen: ApiResponse) => listedIds(seen).find((id) => shared.includes(id));
    const response = await pollUntil(ctx, ask, (seen) => !shows(seen) && !isTotalTooHigh(seen));
    const left = shows(response);
    expectThat(ctx, !left, response, 'no invoice that the reset was to clear', `it shows invoice ${left}`);
    const { total, records } = parsePage(response);
    const because = `it counts ${total} and shows ${records.length}`;
    expectThat(ctx, !isTotalTooHigh(response), response, 'a total of the invoices that are left', because);
  }),
];
