import { postInvoice } from '../api/operations.ts';
import { type ApiResponse, invoiceIn, isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { fieldIs } from '../assert/expectations.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import {
  expectFieldsPreserved,
  expectListedValue,
  expectShownByCreation,
  tryCreateInvoice,
} from '../fixtures/created-invoice.ts';
import { type Invoice, resolveCreatedInvoice } from '../invoices/invoices.ts';

/**
 * Currencies whose amounts a server may convert: with zero or three fraction digits in ISO 4217, without fraction digits in practice,
 * and with cash that is rounded.
 */
const OTHER_CURRENCIES = ['CHF', 'JPY', 'KRW', 'CLP', 'ISK', 'HUF', 'UGX', 'KWD', 'BHD', 'TND'];

/** Read one by one, too: one with zero and one with three fraction digits. */
const SAMPLED_CURRENCIES: readonly string[] = ['JPY', 'KWD'];

/** An accepted invoice in another currency, with a requestId. */
export interface CurrencyInvoice {
  currency: string;
  invoice: Invoice;
}

export const isSampledCurrency = ({ currency }: CurrencyInvoice): boolean => SAMPLED_CURRENCIES.includes(currency);

/** One invoice in each currency that the server accepts, created once in a run. Throws NotApplicable if there is none. */
export const createCurrencyInvoices = sharedResult(async (ctx): Promise<CurrencyInvoice[]> => {
  const made = await Promise.all(OTHER_CURRENCIES.map((currency) => createCurrencyInvoice(ctx, currency)));
  const accepted = made.flat();
  if (accepted.length === 0) notApplicable(`the server accepts none of the currencies ${OTHER_CURRENCIES.join(', ')}`);
  return accepted;
});

/** With cents, or without if the server rejects cents in this currency. */
async function createCurrencyInvoice(ctx: CheckContext, currency: string): Promise<CurrencyInvoice[]> {
  const valid = unroundedBody(ctx);
  for (const amount of [valid.amount, withoutCents(valid.amount)]) {
    const invoice = await tryCreateInvoice(ctx, { ...valid, amount, currency, requestId: ctx.createRequestId() });
    if (invoice) return [{ currency, invoice }];
  }
  return [];
}

/** A body whose amount changes if a server rounds it to units, to tenths or to the smallest coin. */
function unroundedBody(ctx: CheckContext): InvoiceBody {
  for (;;) {
    const body = validBody(ctx);
    if (/[1-46-9]$/.test(body.amount)) return body;
  }
}

const withoutCents = (amount: string): string => amount.replace(/\d\d$/, '00');

/** Throws a Breach if the response to a creation, the list or a read shows another amount or currency. */
export async function expectCurrencyAmountsKept(ctx: CheckContext, made: readonly CurrencyInvoice[]): Promise<void> {
  for (const { currency, invoice } of made) {
    expectShownByCreation(ctx, invoice, 'amount', invoice.body.amount);
    expectShownByCreation(ctx, invoice, 'currency', currency);
  }
  await Promise.all(made.map(({ invoice }) => expectListedValue(ctx, invoice, 'amount', invoice.body.amount)));
  const sampled = SAMPLED_CURRENCIES.flatMap((name) => made.find(({ currency }) => currency === name) ?? []);
  for (const { invoice } of sampled) await expectFieldsPreserved(ctx, invoice, { amount: invoice.body.amount });
}

/** The response of a replay or an action may leave out the invoice, but must not show another amount. */
export function expectAmountShown(
  ctx: CheckContext,
  { currency, invoice: { id, body, created } }: CurrencyInvoice,
  response: ApiResponse,
  when: string,
): void {
  const shown = invoiceIn(response);
  if (!isSuccess(response) || String(shown?.id) !== id || typeof shown?.amount !== 'string') return;
  if (shown.amount === body.amount) return;
  const because = `${when} shows amount ${shown.amount} for invoice ${id}, which was created with ${body.amount} ${currency}`;
  const expected = `amount ${body.amount}: an accepted amount is kept digit for digit in every currency (Invoice, row amount)`;
  throw breach(ctx, response, expected, because, [created], fieldIs(response, 'amount', body.amount));
}

/** A whole amount in yen, which a server may write without a fraction. */
export async function createWholeYenInvoice(ctx: CheckContext): Promise<CurrencyInvoice[]> {
  const valid = validBody(ctx);
  const body: InvoiceBody = { ...valid, currency: 'JPY', amount: withoutCents(valid.amount) };
  const invoice = await tryCreateInvoice(ctx, body);
  return invoice ? [{ currency: 'JPY', invoice }] : [];
}

/** Call it before any transition. Throws a Breach if the replay of the creation shows another amount. */
export async function expectAmountReplayed(ctx: CheckContext, each: CurrencyInvoice): Promise<void> {
  const { body } = each.invoice;
  const response = await postInvoice(ctx, body);
  // A faulty server may have created another invoice.
  if (isSuccess(response)) await resolveCreatedInvoice(ctx, body, response);
  // The checks of idempotency judge a rejection, and a replay that creates another invoice.
  expectAmountShown(ctx, each, response, 'the replay of the creation');
}
