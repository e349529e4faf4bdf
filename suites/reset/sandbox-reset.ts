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

async function skipUnlessResetAccepted(lab: CheckContext): Promise<ApiResponse | null> {
  const { answer, production } = await resetSandboxOnce(lab);
  if (!isSuccess(answer)) notApplicable('the reset was not accepted; RESET-01.accepted judges that');
  return production;
}

const listedIds = (answer: ApiResponse) => listItems(answer).map(({ id }) => String(id));

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
function isTotalTooHigh(answer: ApiResponse): boolean {
  const { records, total, limit, page } = parsePage(answer);
  return is2xx(answer) && page === 0 && records.length < limit && total > records.length;
}

/** Throws a Breach where the production list has lost something, or has moved as no single person moves it. */
function expectProductionUnchanged(lab: CheckContext, before: ApiResponse, after: ApiResponse): void {
  const lost = lostIds(before, after);
  const because =
    lost.length > 0
      ? `${lost.length} of them are gone, ${lost[0]} among them`
      : `before the reset ${describeResponse(before)}`;
  const same = after.status === before.status && lost.length === 0 && !isEveryOpenInvoiceChanged(before, after);
  expectThat(lab, same, after, 'the production invoices as before the reset', because);
}

export const sandboxResetChecks: readonly Check[] = [
  checkInPhase('reset', 'RESET-01.accepted', ['reset', 'seller'], async (lab) => {
    const { answer } = await resetSandboxOnce(lab);
    blockIfForbidden(answer);
    expectAccepted(lab, answer, 'a reset by a sandbox key');
  }),

  checkInPhase('reset', 'RESET-01.keys-ended', ['reset', 'seller'], async (lab) => {
    const { read } = await resetSandboxOnce(lab);
    await skipUnlessResetAccepted(lab);
    if (read) {
      const ask = () => readInvoice(lab, read, { as: lab.credentials('seller') });
      expectRejected(lab, await pollUntil(lab, ask, ({ status }) => status === 401), [401]);
    }
    // Nor does it make good what was ended before.
    for (const name of ['seller', 'readOnly', 'revoked'] as const) {
      if (!lab.target.actors[name]) continue;
      const ask = () => listInvoices(lab, {}, { as: lab.credentials(name) });
      expectRejected(lab, await pollUntil(lab, ask, ({ status }) => status === 401), [401]);
    }
    if (!lab.target.actors.buyer) return;
    const seen = await listInvoices(lab, { page: 0, limit: 100 }, { as: lab.credentials('buyer') });
    lab.observe(
      'reset-counterparty',
      is2xx(seen) ? `lists ${listItems(seen).length > 0 ? 'invoices' : 'none'}` : seen.status,
    );
  }),

  checkInPhase(
    'reset',
    'RESET-02.production-funds',
    ['reset', 'seller', 'production', 'treasuryBalance'],
    async (lab) => {
      const { funds } = await resetSandboxOnce(lab);
      await skipUnlessResetAccepted(lab);
      if (!funds) return notApplicable('the balance of production cannot be had');
      const after = await readProductionBalance(lab);
      // Of what the balance tells, the largest is no less than the funds; what waits to be paid may come to nothing at any moment.
      const [most] = [...centsByPlace(funds)].sort(([, one], [, other]) => other - one);
      const [place, cents] = most ?? ['', 0];
      const emptied = cents > 0 && centsByPlace(after).get(place) === 0;
      const because = `${place} was ${cents / 100} before the reset and is 0 now`;
      expectThat(lab, !emptied, after, 'the production balance as before the reset', because);
    },
  ),

  checkInPhase('reset', 'RESET-02.production-untouched', ['reset', 'seller', 'production'], async (lab) => {
    const before = await skipUnlessResetAccepted(lab);
    const after = await readProductionPage(lab);
    if (!before || !after) return notApplicable('production is not deployed at this target');
    expectProductionUnchanged(lab, before, after);
  }),

  checkInPhase(
    'production-reset',
    'RESET-02.production-key',
    ['reset', 'seller', 'production', 'productionWrites'],
    async (lab) => {
      const [own] = await ifReachable(() => createProductionInvoice(lab));
      const before = await readProductionPage(lab);
      // Whether it may is not shown.
      const answer = await requestReset(lab, { as: lab.credentials('production') });
      lab.observe('reset-by-production', answer.status);
      const after = await readProductionPage(lab);
      if (!before || !after) return notApplicable('production is not deployed at this target');
      expectProductionUnchanged(lab, before, after);
      if (!own) return;
      const { record, response: seen } = await waitForProductionState(lab, own.id, own.state);
      // A draft may expire by itself: that it is there is what a reset of the sandbox has to leave.
      expectThat(lab, record !== null, seen, `production invoice ${own.id} as before the reset`, 'it is gone');
      await removeAllFromProduction(lab);
    },
  ),

  checkInPhase('reset', 'RESET-05.counterparty', ['reset', 'connection', 'buyer', 'read'], async (lab) => {
    // Before anything else resets: the run has tidied up, and this one is meant to stay.
    const { shared } = await resetSandboxOnce(lab);
    await skipUnlessResetAccepted(lab);
    if (shared.length === 0) return notApplicable('the buyer did not see the invoices before the reset either');
    for (const id of shared) {
      const ask = () => readInvoice(lab, id, { as: lab.credentials('buyer') });
      const answer = await pollUntil(lab, ask, (answer) => !is2xx(answer));
      const because = 'it still reads an invoice that the reset of the seller was to clear';
      expectThat(lab, !is2xx(answer), answer, `no invoice ${id} any more`, because);
    }
  }),

  checkInPhase('reset', 'RESET-05.listed', ['reset', 'connection', 'buyer', 'read'], async (lab) => {
    const { shared } = await resetSandboxOnce(lab);
    await skipUnlessResetAccepted(lab);
    if (shared.length === 0) return notApplicable('the buyer did not see the invoices before the reset either');
    const ask = () => listInvoices(lab, NEWEST_FIRST, { as: lab.credentials('buyer') });
    const shows = (seen: ApiResponse) => listedIds(seen).find((id) => shared.includes(id));
    const answer = await pollUntil(lab, ask, (seen) => !shows(seen) && !isTotalTooHigh(seen));
    const left = shows(answer);
    expectThat(lab, !left, answer, 'no invoice that the reset was to clear', `it shows invoice ${left}`);
    const { total, records } = parsePage(answer);
    const because = `it counts ${total} and shows ${records.length}`;
    expectThat(lab, !isTotalTooHigh(answer), answer, 'a total of the invoices that are left', because);
  }),
];
