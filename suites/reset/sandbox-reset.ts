import { list, NEWEST_FIRST, readInvoice } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { describeResponse, isShown, isSuccess, listItems } from '../../helpers/api/responses.ts';
import { expectAccepted, expectRefused, expectThat } from '../../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { removeAllFromProduction } from '../../helpers/clean-up/production-removal.ts';
import type { Check } from '../../helpers/context/check.ts';
import { checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { createInProduction, lookInProduction } from '../../helpers/environments/production-invoices.ts';
import { askForReset, productionPage, resetOnce } from '../../helpers/environments/sandbox-reset.ts';
import { whereReachable } from '../../helpers/invoices/invoices.ts';
import { asPage } from '../../helpers/invoices/list-page.ts';
import { amountsOf } from '../../helpers/treasury/balances/balance.ts';
import { productionFunds } from '../../helpers/treasury/balances/production-balance.ts';

async function afterReset(lab: Lab): Promise<ApiResponse | null> {
  const { answer, production } = await resetOnce(lab);
  if (!isSuccess(answer)) notApplicable('the reset was not accepted; RESET-01.accepted judges that');
  return production;
}

const ids = (answer: ApiResponse) => listItems(answer).map(({ id }) => String(id));

/**
 * Ids that the first answer shows and the second should. Production goes on meanwhile: each new invoice may push one off the
 * page, and people delete drafts.
 */
function lostSince(before: ApiResponse, after: ApiResponse): string[] {
  const [then, now] = [new Set(ids(before)), new Set(ids(after))];
  const added = [...now].filter((id) => !then.has(id)).length;
  const gone = listItems(before).filter(({ id, status }) => !now.has(String(id)) && status !== 'DRAFT');
  return gone.length > added ? gone.map(({ id }) => String(id)) : [];
}

/** Whether everything that could still move has moved: what single people do in production is no reset. */
function allMoved(before: ApiResponse, after: ApiResponse): boolean {
  const now = new Map(listItems(after).map(({ id, status }) => [id, status]));
  const open = listItems(before).filter(({ status }) => status !== 'SETTLED' && status !== 'CANCELLED');
  return open.length > 0 && open.every(({ id, status }) => now.get(id) !== status);
}

/** Whether a first page that is not full counts more than it shows. */
function countsMore(answer: ApiResponse): boolean {
  const { records, total, limit, page } = asPage(answer);
  return isShown(answer) && page === 0 && records.length < limit && total > records.length;
}

/** Throws a Breach where the production list has lost something, or has moved as no single person moves it. */
function expectUntouched(lab: Lab, before: ApiResponse, after: ApiResponse): void {
  const lost = lostSince(before, after);
  const because =
    lost.length > 0
      ? `${lost.length} of them are gone, ${lost[0]} among them`
      : `before the reset ${describeResponse(before)}`;
  const same = after.status === before.status && lost.length === 0 && !allMoved(before, after);
  expectThat(lab, same, after, 'the production invoices as before the reset', because);
}

export const sandboxResetChecks: readonly Check[] = [
  checkIn('reset', 'RESET-01.accepted', ['reset', 'seller'], async (lab) => {
    const { answer } = await resetOnce(lab);
    expectPermitted(answer);
    expectAccepted(lab, answer, 'a reset by a sandbox key');
  }),

  checkIn('reset', 'RESET-01.keys-ended', ['reset', 'seller'], async (lab) => {
    const { read } = await resetOnce(lab);
    await afterReset(lab);
    if (read) {
      const ask = () => readInvoice(lab, read, { as: lab.who('seller') });
      expectRefused(lab, await pollUntil(lab, ask, ({ status }) => status === 401), [401]);
    }
    // Nor does it make good what was ended before.
    for (const name of ['seller', 'readOnly', 'revoked'] as const) {
      if (!lab.target.actors[name]) continue;
      const ask = () => list(lab, {}, { as: lab.who(name) });
      expectRefused(lab, await pollUntil(lab, ask, ({ status }) => status === 401), [401]);
    }
    if (!lab.target.actors.buyer) return;
    const seen = await list(lab, { page: 0, limit: 100 }, { as: lab.who('buyer') });
    lab.observe(
      'reset-counterparty',
      isShown(seen) ? `lists ${listItems(seen).length > 0 ? 'invoices' : 'none'}` : seen.status,
    );
  }),

  checkIn('reset', 'RESET-02.production-funds', ['reset', 'seller', 'production', 'treasuryBalance'], async (lab) => {
    const { funds } = await resetOnce(lab);
    await afterReset(lab);
    if (!funds) return notApplicable('the balance of production cannot be had');
    const after = await productionFunds(lab);
    // Of what the balance tells, the largest is no less than the funds; what waits to be paid may come to nothing at any moment.
    const [most] = [...amountsOf(funds)].sort(([, one], [, other]) => other - one);
    const [place, cents] = most ?? ['', 0];
    const emptied = cents > 0 && amountsOf(after).get(place) === 0;
    const because = `${place} was ${cents / 100} before the reset and is 0 now`;
    expectThat(lab, !emptied, after, 'the production balance as before the reset', because);
  }),

  checkIn('reset', 'RESET-02.production-untouched', ['reset', 'seller', 'production'], async (lab) => {
    const before = await afterReset(lab);
    const after = await productionPage(lab);
    if (!before || !after) return notApplicable('production is not deployed at this target');
    expectUntouched(lab, before, after);
  }),

  checkIn(
    'production-reset',
    'RESET-02.production-key',
    ['reset', 'seller', 'production', 'productionWrites'],
    async (lab) => {
      const [own] = await whereReachable(() => createInProduction(lab));
      const before = await productionPage(lab);
      // Whether it may is not shown.
      const answer = await askForReset(lab, { as: lab.who('production') });
      lab.observe('reset-by-production', answer.status);
      const after = await productionPage(lab);
      if (!before || !after) return notApplicable('production is not deployed at this target');
      expectUntouched(lab, before, after);
      if (!own) return;
      const { record, answer: seen } = await lookInProduction(lab, own.id, own.state);
      // A draft may expire by itself: that it is there is what a reset of the sandbox has to leave.
      expectThat(lab, record !== null, seen, `production invoice ${own.id} as before the reset`, 'it is gone');
      await removeAllFromProduction(lab);
    },
  ),

  checkIn('reset', 'RESET-05.counterparty', ['reset', 'connection', 'buyer', 'read'], async (lab) => {
    // Before anything else resets: the run has tidied up, and this one is meant to stay.
    const { shared } = await resetOnce(lab);
    await afterReset(lab);
    if (shared.length === 0) return notApplicable('the buyer did not see the invoices before the reset either');
    for (const id of shared) {
      const ask = () => readInvoice(lab, id, { as: lab.who('buyer') });
      const answer = await pollUntil(lab, ask, (answer) => !isShown(answer));
      const because = 'it still reads an invoice that the reset of the seller was to clear';
      expectThat(lab, !isShown(answer), answer, `no invoice ${id} any more`, because);
    }
  }),

  checkIn('reset', 'RESET-05.listed', ['reset', 'connection', 'buyer', 'read'], async (lab) => {
    const { shared } = await resetOnce(lab);
    await afterReset(lab);
    if (shared.length === 0) return notApplicable('the buyer did not see the invoices before the reset either');
    const ask = () => list(lab, NEWEST_FIRST, { as: lab.who('buyer') });
    const shows = (seen: ApiResponse) => ids(seen).find((id) => shared.includes(id));
    const answer = await pollUntil(lab, ask, (seen) => !shows(seen) && !countsMore(seen));
    const left = shows(answer);
    expectThat(lab, !left, answer, 'no invoice that the reset was to clear', `it shows invoice ${left}`);
    const { total, records } = asPage(answer);
    const because = `it counts ${total} and shows ${records.length}`;
    expectThat(lab, !countsMore(answer), answer, 'a total of the invoices that are left', because);
  }),
];
