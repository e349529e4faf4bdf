import { type ApiResponse, createdAtMs, headerValue, invoiceIn } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { DAY_MS } from '../../helpers/data/due-dates.ts';
import { zoneOffsetMinutes } from '../../helpers/data/time-zone-offset.ts';
import { findCreatedInvoice, findInvoice, findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice } from '../../helpers/invoices/invoices.ts';
import { invoicesOfEachState } from '../../helpers/lists/state-samples.ts';

export const fieldValuesChecks: readonly Check[] = [
  check('REC-09.utc-time', ['connection'], async (ctx) => {
    const sentAt = Date.now();
    const invoice = await createInvoice(ctx);
    const sights = [await findInvoice(ctx, invoice.id), await findCreatedInvoice(ctx, invoice.body)];
    const shown = sights.filter(({ record }) => record && !Number.isNaN(createdAtMs(record)));
    if (shown.length === 0) return notApplicable('the invoice has no readable createdAt');
    // Either clock, the server's or this machine's, may be wrong, but not by a time zone.
    const clocks = [sentAt, Date.parse(headerValue(invoice.created, 'date') ?? '')].filter(
      (clock) => !Number.isNaN(clock),
    );
    for (const { record, response } of shown) {
      const created = record ? createdAtMs(record) : Number.NaN;
      // A date without a time of day shows no time zone.
      if (created % DAY_MS === 0) notApplicable(`createdAt ${String(record?.createdAt)} has no time of day`);
      const offsets = clocks.map((clock) => zoneOffsetMinutes(created - clock));
      const because = `createdAt ${String(record?.createdAt)} differs by ${offsets[0]} minutes from the time of the creation`;
      expectThat(
        ctx,
        offsets.includes(0),
        response,
        `createdAt about ${new Date(sentAt).toISOString()}, in UTC`,
        because,
      );
    }
  }),

  checkInPhase('late', 'REC-10.amount', ['connection'], async (ctx) => {
    const { invoices } = await invoicesOfEachState(ctx);
    const described: boolean[] = [];
    const emptied: { state: string; response: ApiResponse }[] = [];
    for (const { id, state, body, created } of invoices) {
      const { record, response } = await findSettledInvoice(ctx, { id, state });
      const kept = record?.amount === body.amount && record.dueDate === body.dueDate;
      const because = `the ${state} invoice has amount ${String(record?.amount)} and dueDate ${String(record?.dueDate)}`;
      expectThat(ctx, kept, response, `amount ${body.amount} and dueDate ${body.dueDate}, as created`, because);
      // The contract does not specify whether, and in which responses, a server returns the description.
      const [then, now] = [invoiceIn(created)?.description, record?.description];
      const same = typeof then !== 'string' || typeof now !== 'string' || then === now;
      const text = `the ${state} invoice has the description ${JSON.stringify(now)}`;
      expectThat(ctx, same, response, `description ${JSON.stringify(then)}, as created`, text);
      described.push(now === body.description);
      if (body.description && now === null) emptied.push({ state, response });
    }
    // The same request shows the description of an invoice in another state, so the server returns descriptions there.
    const [lost] = described.includes(true) ? emptied : [];
    if (!lost) return;
    const because = `the ${lost.state} invoice has the description null`;
    expectThat(ctx, false, lost.response, 'the description that the invoice was created with', because);
  }),
];
