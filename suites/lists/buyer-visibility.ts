import { createInvoiceVariants } from '../../helpers/adaptation/invoice-variants.ts';
import { readInvoice } from '../../helpers/api/operations.ts';
import { describeResponse, is2xx, type JsonObject } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { type Check, checkInPhase } from '../../helpers/context/check.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { recentInvoicesReader, skipUnlessListedFirst } from '../../helpers/invoices/recent-invoices.ts';
import { variantsListedCheck } from '../../helpers/lists/listed-variants.ts';
import { invoicesOfEachState } from '../../helpers/lists/state-samples.ts';

export const buyerVisibilityChecks: readonly Check[] = [
  checkInPhase('late', 'LIST-14.buyer-reads', ['connection', 'seller', 'buyer', 'read'], async (ctx) => {
    const { invoices } = await invoicesOfEachState(ctx);
    const reads = async ({ id }: Invoice) => {
      const request = () => readInvoice(ctx, id, { as: ctx.credentials('buyer') });
      return await pollUntil(ctx, request, is2xx, 'reads a new invoice for the buyer');
    };
    const submitted = invoices.filter(({ state }) => state !== 'DRAFT');
    const seen = submitted[0] && (await reads(submitted[0]));
    if (!seen || !is2xx(seen)) notApplicable('there is no submitted invoice that the buyer can read');
    for (const invoice of submitted) {
      const response = await reads(invoice);
      const because = `the server returned ${describeResponse(response)}`;
      expectThat(ctx, is2xx(response), response, `the ${invoice.state} invoice ${invoice.id} of the buyer`, because, {
        status: 'success',
      });
    }
  }),

  checkInPhase('late', 'LIST-14.buyer', ['connection', 'seller', 'buyer'], async (ctx) => {
    const { invoices } = await invoicesOfEachState(ctx);
    const submitted = invoices.filter(({ state }) => state !== 'DRAFT');
    const notIn = (records: JsonObject[]) =>
      submitted.find((invoice) => !records.some(({ id }) => String(id) === invoice.id));
    const { records, response } = await pollUntil(
      ctx,
      recentInvoicesReader(ctx, 'buyer'),
      (seen) => !notIn(seen.records),
      'lists a new invoice for the buyer',
    );
    const absent = notIn(records);
    if (absent) await skipUnlessListedFirst(ctx, absent, records);
    ctx.observe('buyer-lists-invoice', absent?.state !== 'SUBMITTED');
    const because = `the list does not contain the ${absent?.state} invoice ${absent?.id}`;
    expectThat(ctx, !absent, response, 'invoices of the buyer in every state', because);
  }),

  variantsListedCheck('LIST-14.every-variant', 'buyer', 'buyer'),

  checkInPhase('late', 'LIST-14.reads-every-variant', ['connection', 'seller', 'buyer', 'read'], async (ctx) => {
    const { variants } = await createInvoiceVariants(ctx);
    const submitted = variants.filter(({ invoice }) => invoice.state !== 'DRAFT');
    const seen = await Promise.all(
      submitted.map(async ({ what, invoice: { id } }) => {
        const request = () => readInvoice(ctx, id, { as: ctx.credentials('buyer') });
        return { what, id, response: await pollUntil(ctx, request, is2xx, 'reads a new invoice for the buyer') };
      }),
    );
    const hidden = seen.filter(({ response }) => !is2xx(response));
    if (hidden.length === seen.length) notApplicable('the buyer can read no variant of an invoice');
    const [first] = hidden;
    if (!first) return;
    expectThat(
      ctx,
      false,
      first.response,
      `invoice ${first.id} of the buyer, ${first.what}`,
      `the server returned ${describeResponse(first.response)}`,
    );
  }),
];
