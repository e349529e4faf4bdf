import { maximalRequest } from '../../helpers/adaptation/maximal-request.ts';
import { postInvoice } from '../../helpers/api/operations.ts';
import {
  type ApiResponse,
  INVOICE_FIELDS,
  invoiceIn,
  isSuccess,
  type JsonObject,
} from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { placeInInvoice } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, type CheckContext, check } from '../../helpers/context/check.ts';
import { expectDueDateShownIfAccepted, expectKeptIfAccepted, minimalBody } from '../../helpers/creation/kept-fields.ts';
import { leapDayCreation } from '../../helpers/creation/leap-day.ts';
import { DAY_MS, isMovedToWorkday, isWeekday } from '../../helpers/data/due-dates.ts';
import { type InvoiceBody, validBody } from '../../helpers/data/invoice-body.ts';
import { textPattern } from '../../helpers/data/text-pattern.ts';
import {
  createdRecord,
  defaultCurrency,
  expectCreated,
  expectFieldsPreserved,
  expectListedValue,
  optionalFields,
  otherCurrencyInvoice,
} from '../../helpers/fixtures/created-invoice.ts';
import { findCreatedInvoice, findInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, ifReachable, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { recentInvoicesReader } from '../../helpers/invoices/recent-invoices.ts';

/** Contract: "The response carries the created invoice, including the platform-assigned `invoiceNumber`." */
function expectInvoiceNumber(ctx: CheckContext, created: ApiResponse): void {
  const number = invoiceIn(created)?.invoiceNumber;
  const because = `invoiceNumber is ${JSON.stringify(number) ?? 'absent'}`;
  const assigned = typeof number === 'string' && number !== '';
  expectThat(ctx, assigned, created, 'invoiceNumber, a string assigned by the platform', because, {
    body: '(first(.. | objects | select(has("dueDate"))).invoiceNumber | strings | length) > 0',
    fields: placeInInvoice(created, 'invoiceNumber'),
  });
}

/** Expects the list to show each invoice with the sent due date. Skips invoices that are no longer on the first pages. */
async function expectDueDatesListed(ctx: CheckContext, created: readonly ApiResponse[]): Promise<void> {
  const { records, response } = await recentInvoicesReader(ctx)();
  for (const each of created) {
    const { dueDate } = JSON.parse(String(each.sentBody)) as InvoiceBody;
    const record = records.find(({ id }) => id !== undefined && id === invoiceIn(each)?.id);
    if (!record || record.dueDate === dueDate || isMovedToWorkday(dueDate, record.dueDate)) continue;
    const because = `the list shows dueDate ${String(record.dueDate)}`;
    throw breach(ctx, response, `dueDate ${dueDate} of invoice ${String(record.id)}`, because, [each]);
  }
}

/** Earlier than the invoices that the checks of the dueDate order create. */
const MAX_DUE_IN_DAYS = 330;

function nextWeekday(day: Date): string {
  const days = [0, 1, 2].map((more) => new Date(day.getTime() + more * DAY_MS).toISOString().slice(0, 10));
  return days.find(isWeekday) as string;
}

/**
 * Dates on which faulty date arithmetic fails: the ends of months and years, a leap day, and days with 23 and 25 hours. One date
 * in each quarter finds an error that occurs only in summer time.
 */
function edgeDueDates(): string[] {
  const year = new Date().getUTCFullYear();
  const days = [year, year + 1].flatMap((each) => [
    `${each}-01-01`,
    ...(new Date(Date.UTC(each, 1, 29)).getUTCDate() === 29 ? [`${each}-02-29`] : []),
    `${each}-03-31`,
    ...[2, 9].map((month) => {
      const last = new Date(Date.UTC(each, month, 31));
      return new Date(last.getTime() - last.getUTCDay() * DAY_MS).toISOString().slice(0, 10);
    }),
    `${each}-12-31`,
    ...Array.from({ length: 4 }, (_, quarter) => nextWeekday(new Date(Date.UTC(each, 3 * quarter, 13)))),
  ]);
  const inDays = (day: string) => (Date.parse(day) - Date.now()) / DAY_MS;
  return [...new Set(days)].filter((day) => inDays(day) > 1 && inDays(day) < MAX_DUE_IN_DAYS);
}

/** Beyond the range of 32-bit seconds, and in years that a two-digit format places in the last century. */
const DISTANT_DUE_DATES = ['2040-12-31', '2085-12-31'];

function expectAllFields(ctx: CheckContext, response: ApiResponse, record: JsonObject): void {
  const missing = INVOICE_FIELDS.filter((field) => !Object.hasOwn(record, field));
  const because = `the invoice lacks ${missing.join(', ')}`;
  expectThat(ctx, missing.length === 0, response, 'an invoice with all fields of the contract', because, {
    body: `(first(.. | objects | select(has("dueDate") or has("amount"))) // {}) | ${missing.map((field) => `has("${field}")`).join(' and ')}`,
    fields: missing.flatMap((field) => placeInInvoice(response, field)),
  });
}

function observeExtraFields(ctx: CheckContext, record: JsonObject): void {
  const known: readonly string[] = [...INVOICE_FIELDS, 'description'];
  const extra = Object.keys(record).filter((name) => !known.includes(name));
  ctx.observe('invoice-extra-fields', extra);
}

/** Creates further invoices, because one does not show which parts of the ids and numbers vary. */
async function observeIdAndNumberForms(ctx: CheckContext, record: JsonObject): Promise<void> {
  const others = await Promise.all(
    [1, 2].map(() => ifReachable(async () => findInvoice(ctx, (await createInvoice(ctx)).id))),
  );
  const records = [record, ...others.flat().map((other) => other.record ?? record)];
  ctx.observe('invoice-id-form', textPattern(records.map(({ id }) => String(id))));
  ctx.observe('invoice-number-form', textPattern(records.map(({ invoiceNumber }) => String(invoiceNumber))));
}

export const creationResponseChecks: readonly Check[] = [
  check('CREATE-11.carries-invoice', ['connection'], async (ctx) => {
    const { response } = await createdRecord(ctx);
    const id = invoiceIn(response)?.id;
    expectThat(
      ctx,
      typeof id === 'string' && id !== '',
      response,
      'the created invoice with its id',
      'the response has no invoice with an id',
      {
        body: '[.. | objects | .id? | strings | select(. != "")] | length > 0',
        fields: placeInInvoice(response, 'id'),
      },
    );
  }),

  check('CREATE-11.invoice-number', ['connection'], async (ctx) => {
    expectInvoiceNumber(ctx, (await createdRecord(ctx)).response);
    // Also for a body with fewer fields than usual, and for one with more.
    for (const body of [minimalBody(ctx), { ...validBody(ctx), ...(await optionalFields(ctx)) }]) {
      const response = await postInvoice(ctx, body);
      await expectCreated(ctx, response, 'a created invoice');
      await resolveCreatedInvoice(ctx, body as InvoiceBody, response);
      expectInvoiceNumber(ctx, response);
    }
  }),

  check('CREATE-11.same-number', ['connection'], async (ctx) => {
    const { invoice, response } = await createdRecord(ctx);
    const shown = invoiceIn(response)?.invoiceNumber;
    if (typeof shown !== 'string') notApplicable('the response to the creation has no invoiceNumber');
    const { record, response: listed } = await findCreatedInvoice(ctx, invoice.body);
    const unmoved = record?.status === invoice.state && String(record.id) === invoice.id;
    if (!record || !unmoved)
      notApplicable(
        'the invoice had changed or was gone when the kit looked for it; a spontaneous change may have assigned its number',
      );
    const because = `the invoiceNumber is ${JSON.stringify(record.invoiceNumber)}`;
    const expected = `invoiceNumber ${JSON.stringify(shown)}, as in the response to the creation`;
    expectThat(ctx, record.invoiceNumber === shown, listed, expected, because);
  }),

  check('CREATE-11.amount', ['connection'], async (ctx) => {
    const { invoice } = await createdRecord(ctx);
    await expectFieldsPreserved(ctx, invoice, { amount: invoice.body.amount });
  }),

  check('CREATE-11.due-date', ['connection'], async (ctx) => {
    const { invoice } = await createdRecord(ctx);
    await expectFieldsPreserved(ctx, invoice, { dueDate: invoice.body.dueDate });
  }),

  check('CREATE-11.edge-due-dates', ['connection'], async (ctx) => {
    const turns = edgeDueDates().map((dueDate) => expectDueDateShownIfAccepted(ctx, dueDate));
    const responses = await Promise.all(turns);
    // An invoice with a late due date would precede the invoices that other checks look for, so the kit must delete it at once.
    const { invoice } = await createdRecord(ctx);
    if (invoice.state === 'DRAFT' && ctx.target.operations.delete) {
      for (const dueDate of DISTANT_DUE_DATES)
        responses.push(await expectKeptIfAccepted(ctx, { dueDate }, ['dueDate'], { isDeletedAfterwards: true }));
      responses.push(await leapDayCreation(ctx));
    }
    if (!responses.some(isSuccess))
      notApplicable(
        `the server accepts none of the due dates that the kit tries, such as ${edgeDueDates().slice(0, 3).join(', ')}`,
      );
    await expectDueDatesListed(ctx, responses.filter(isSuccess));
  }),

  check('CREATE-11.currency', ['connection'], async (ctx) => {
    const currency = await defaultCurrency(ctx);
    await expectFieldsPreserved(ctx, await createInvoice(ctx, { currency }), { currency });
    ctx.observe('default-currency', currency);
  }),

  check('CREATE-11.other-currency', ['connection'], async (ctx) => {
    const other = await otherCurrencyInvoice(ctx);
    if (!other) return notApplicable('the server accepts no common currency except its default one');
    await expectFieldsPreserved(ctx, other.invoice, { currency: other.currency });
    await expectListedValue(ctx, other.invoice, 'currency', other.currency);
  }),

  check('CREATE-11.organizations', ['connection'], async (ctx) => {
    const { invoice } = await createdRecord(ctx);
    const { sellerId, buyerId } = invoice.body;
    await expectFieldsPreserved(ctx, invoice, { sellerOrganizationId: sellerId, buyerOrganizationId: buyerId });
  }),

  check('CREATE-11.all-fields', ['connection'], async (ctx) => {
    const { body, headers } = await maximalRequest(ctx);
    const response = await postInvoice(ctx, body, { headers });
    await expectCreated(
      ctx,
      response,
      'a created invoice for a request with every optional field and header that the server accepts',
    );
    const invoice = await resolveCreatedInvoice(ctx, body, response);
    const { amount, dueDate, currency } = body;
    await expectFieldsPreserved(ctx, invoice, { amount, dueDate, ...(currency !== undefined && { currency }) });
  }),

  check('CREATE-12.complete', ['connection'], async (ctx) => {
    const { response, record } = await createdRecord(ctx);
    expectAllFields(ctx, response, record);
    observeExtraFields(ctx, record);
    await observeIdAndNumberForms(ctx, record);
  }),
];
