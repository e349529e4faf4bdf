import { postInvoice, readInvoice } from '../../helpers/api/operations.ts';
import {
  type ApiResponse,
  describeResponse,
  invoiceIn,
  is2xx,
  isSuccess,
  type JsonObject,
} from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { fieldIs } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { runCreationControl } from '../../helpers/controls/positive-controls.ts';
import { expectNoDuplicates, ownDuplicatesOf } from '../../helpers/creation/duplicate-creations.ts';
import { isEquivalentText } from '../../helpers/data/description-text.ts';
import { generateValidBodies } from '../../helpers/data/generated-valid-bodies.ts';
import { type InvoiceBody, isCreatedFrom } from '../../helpers/data/invoice-body.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { findInList, newestInvoices } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, type Invoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { expectListedAsSent, expectSameValues } from '../../helpers/invoices/listed-as-sent.ts';
import { recentInvoicesReader, skipUnlessListedFirst } from '../../helpers/invoices/recent-invoices.ts';
import { invoicesOfEachState } from '../../helpers/lists/state-samples.ts';

/** Sends the bodies at the same time. */
async function expectAllCreated(ctx: CheckContext, bodies: readonly InvoiceBody[]): Promise<Invoice[]> {
  const responses = await Promise.all(bodies.map((body) => postInvoice(ctx, body)));
  const rejection = responses.find((response) => !isSuccess(response));
  if (rejection) await expectCreated(ctx, rejection, 'a created invoice for a valid body');
  return await Promise.all(bodies.map((body, at) => resolveCreatedInvoice(ctx, body, responses[at] as ApiResponse)));
}

async function expectListedOnce(
  ctx: CheckContext,
  invoice: Invoice,
  { records, response }: { records: JsonObject[]; response: ApiResponse },
): Promise<void> {
  const { size } = await ownDuplicatesOf(ctx, records, invoice.body);
  if (size === 0) expectSameValues(ctx, invoice, records, response);
  if (size === 0) await skipUnlessListedFirst(ctx, invoice, records);
  const because = `the list has ${size} invoices with the sent fields`;
  expectThat(ctx, size === 1, invoice.created, 'one invoice with the sent fields in the list', because);
}

/** The response to the creation and the list may leave out the description, but must not show another one. */
function expectDescriptionKept(ctx: CheckContext, { id, body, created }: Invoice, records: JsonObject[]): void {
  const listed = records.find((record) => String(record.id) === id);
  for (const shown of [invoiceIn(created), listed]) {
    const given = shown?.description;
    const kept = typeof given !== 'string' || isEquivalentText(given, body.description);
    const expected = `description ${JSON.stringify(body.description)}`;
    expectThat(ctx, kept, created, expected, `the description is ${JSON.stringify(given)}`);
  }
}

function skipUnlessRecordReturned(read: ApiResponse): void {
  if (is2xx(read) && invoiceIn(read)?.id === undefined)
    notApplicable(
      'the response to operations.read of the target file has no invoice record; the contract does not specify one',
    );
}

/** The contract does not specify the response to a read: it may give a field in another form, or leave it out. */
function expectReadAsSent(ctx: CheckContext, read: ApiResponse, body: InvoiceBody): void {
  const { amount, dueDate, buyerId: buyerOrganizationId } = body;
  for (const [field, sent] of Object.entries({ amount, dueDate, buyerOrganizationId })) {
    const shown = invoiceIn(read)?.[field];
    const other = typeof shown === 'string' && shown.toLowerCase() !== sent.toLowerCase();
    const because = `${field} is ${String(shown)}`;
    expectThat(ctx, !other, read, `${field} ${sent}, as sent`, because, fieldIs(read, field, sent));
  }
}

export const persistenceChecks: readonly Check[] = [
  check('CREATE-14.generated', ['connection'], async (ctx) => {
    await runCreationControl(ctx);
    const made = await expectAllCreated(ctx, generateValidBodies(ctx));
    const listed = await pollUntil(
      ctx,
      recentInvoicesReader(ctx),
      (seen) => made.every(({ body }) => seen.records.some((record) => isCreatedFrom(record, body))),
      'lists a new invoice',
    );
    for (const invoice of made) {
      await expectListedOnce(ctx, invoice, listed);
      expectDescriptionKept(ctx, invoice, listed.records);
    }
  }),

  check('CREATE-14.listed', ['connection'], async (ctx) => {
    const invoice = await createInvoice(ctx);
    const response = await expectListedAsSent(
      ctx,
      invoice,
      `invoice ${invoice.id}, with the sent fields, among the newest invoices of the list`,
      'the list does not contain the invoice with these fields',
    );
    const { records } = await newestInvoices(ctx);
    const copies = await ownDuplicatesOf(ctx, records, invoice.body);
    expectThat(
      ctx,
      copies.size <= 1,
      response,
      `invoice ${invoice.id} exactly once in the list`,
      `one request created ${copies.size} invoices: ${[...copies].join(', ')}`,
    );
  }),

  checkInPhase('late', 'CREATE-14.no-duplicates', ['connection'], expectNoDuplicates),

  // Late, when the run has created hundreds of newer invoices.
  checkInPhase('late', 'CREATE-14.readable-later', ['connection', 'read'], async (ctx) => {
    const lasting = ['invoice APPROVED', 'invoice DISPUTED'];
    const [oldest] = ctx.run.leftovers.entries().find(([, { what }]) => lasting.includes(what)) ?? [];
    if (oldest === undefined) return notApplicable('no invoice of the run is still APPROVED or DISPUTED');
    const request = () => readInvoice(ctx, oldest);
    const response = await pollUntil(ctx, request, is2xx, 'reads an old invoice');
    if (is2xx(response)) return;
    const { record, response: shown } = await findInList(ctx, oldest);
    if (!record) return notApplicable(`neither a read nor the list returns invoice ${oldest} any longer`);
    const because = `the list contains the invoice, but reading it returns ${response.status}`;
    throw breach(ctx, response, `invoice ${oldest}, created earlier in the run`, because, [shown]);
  }),

  checkInPhase('late', 'CREATE-14.readable-in-every-state', ['connection', 'read'], async (ctx) => {
    const { invoices } = await invoicesOfEachState(ctx);
    for (const { id, state, created } of invoices) {
      const request = () => readInvoice(ctx, id, { as: ctx.credentials('seller') });
      const response = await pollUntil(
        ctx,
        request,
        ({ status }) => status !== 404 && status !== 410,
        'reads a new invoice',
      );
      if (response.status !== 404 && response.status !== 410) continue;
      const { record, response: shown } = await findInList(ctx, id);
      if (!record) continue;
      const because = `the list shows the invoice as ${String(record.status)}, but reading it returns ${response.status}`;
      throw breach(ctx, response, `invoice ${id}, which the kit brought to ${state}`, because, [shown, created]);
    }
  }),

  check('CREATE-14.readable', ['connection', 'read'], async (ctx) => {
    const invoice = await createInvoice(ctx);
    // The read operation may lag behind the creation.
    const response = await pollUntil(ctx, () => readInvoice(ctx, invoice.id), is2xx, 'reads a new invoice');
    skipUnlessRecordReturned(response);
    const found = is2xx(response) && invoiceIn(response)?.id === invoice.id;
    const because = `the server returned ${describeResponse(response)}`;
    expectThat(ctx, found, response, `invoice ${invoice.id}`, because, fieldIs(response, 'id', invoice.id));
    expectReadAsSent(ctx, response, invoice.body);
  }),
];
