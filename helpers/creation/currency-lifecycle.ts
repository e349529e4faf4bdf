import { type ApiResponse, invoiceIn, isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { performAction } from '../invoices/acting-party.ts';
import { findSettledInvoice, hasLeftState } from '../invoices/find-invoice.ts';
import { recordInvoiceState } from '../invoices/invoices.ts';
import { recentInvoicesReader } from '../invoices/recent-invoices.ts';
import { type CurrencyInvoice, expectAmountShown, isSampledCurrency } from './currency-amounts.ts';

/** The actions that lead to a payment, with the states before and after each. */
const PAYMENT_PATH = [
  ['DRAFT', 'submit', 'SUBMITTED'],
  ['SUBMITTED', 'approve', 'APPROVED'],
  ['APPROVED', 'settle', 'SETTLED'],
] as const;

/** Currencies that are submitted: two with zero and one with three fraction digits in ISO 4217. */
const MOVED_CURRENCIES: readonly string[] = ['JPY', 'KWD', 'ISK'];

/** One invoice in each of them, or in other currencies if the server rejects these. */
function movedInvoices(made: readonly CurrencyInvoice[]): readonly CurrencyInvoice[] {
  const isPreferred = ({ currency }: CurrencyInvoice) => MOVED_CURRENCIES.includes(currency);
  const others = made.filter((each) => !isPreferred(each));
  return [...made.filter(isPreferred), ...others].slice(0, MOVED_CURRENCIES.length);
}

/**
 * Submits an invoice in each of three currencies and pays those in the sampled ones. Throws a Breach if a response, a read or the list
 * shows another amount afterwards; returns false if the server rejects every action, which other checks judge.
 */
export async function expectAmountsKeptByTransitions(
  ctx: CheckContext,
  made: readonly CurrencyInvoice[],
): Promise<boolean> {
  const moved = await Promise.all(
    movedInvoices(made).map(async (each) => ((await followPaymentPath(ctx, each)) ? [each] : [])),
  );
  if (moved.flat().length > 0) await expectAmountsListed(ctx, moved.flat());
  return moved.flat().length > 0;
}

/** Whether an action was accepted. */
async function followPaymentPath(ctx: CheckContext, each: CurrencyInvoice): Promise<boolean> {
  const { invoice } = each;
  let isMoved = false;
  for (const [from, action, to] of PAYMENT_PATH) {
    if (invoice.state !== from || !ctx.target.operations[action]) continue;
    const response = await performAction(ctx, action, invoice.id);
    if (!isSuccess(response)) return isMoved;
    isMoved = true;
    invoice.state = to;
    recordInvoiceState(ctx, invoice);
    if (!isInOtherCurrency(each, response)) expectAmountShown(ctx, each, response, `the response to ${action}`);
    // One list request shows the others.
    if (!isSampledCurrency(each)) return isMoved;
    if (action === 'settle') await expectAmountRead(ctx, each);
  }
  return isMoved;
}

/** The contract does not show the response to an action: it may be a receipt of the payer. */
function isInOtherCurrency({ currency }: CurrencyInvoice, response: ApiResponse): boolean {
  const shown = invoiceIn(response)?.currency;
  return shown !== undefined && shown !== currency;
}

async function expectAmountRead(ctx: CheckContext, each: CurrencyInvoice): Promise<void> {
  const { record, response } = await findSettledInvoice(ctx, each.invoice);
  expectAmount(ctx, each, record?.amount, response, 'after settle, a read');
}

async function expectAmountsListed(ctx: CheckContext, made: readonly CurrencyInvoice[]): Promise<void> {
  const { records, response } = await pollUntil(
    ctx,
    recentInvoicesReader(ctx),
    (seen) =>
      made.every(({ invoice }) => {
        const record = seen.records.find(({ id }) => String(id) === invoice.id);
        return record !== undefined && hasLeftState('DRAFT')(record);
      }),
    'shows SUBMITTED',
  );
  for (const each of made) {
    const record = records.find(({ id }) => String(id) === each.invoice.id);
    expectAmount(ctx, each, record?.amount, response, `in ${String(record?.status)}, the list`);
  }
}

/** Exchange rules judge a record without an amount. */
function expectAmount(
  ctx: CheckContext,
  { currency, invoice: { id, body, created } }: CurrencyInvoice,
  shown: unknown,
  response: ApiResponse,
  where: string,
): void {
  if (shown === undefined || shown === body.amount) return;
  const because = `${where} shows amount ${JSON.stringify(shown)} for invoice ${id}, which was created with ${body.amount} ${currency}`;
  const expected = `amount ${body.amount}: no action changes the amount, in any currency (Invoice, row amount)`;
  throw breach(ctx, response, expected, because, [created]);
}
