import { createdAtMs, headerValue, invoiceIn } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import { DAY_MS } from '../../helpers/data/due-dates.ts';
import { zoneOffsetMinutes } from '../../helpers/data/time-zone-offset.ts';
import { findCreatedInvoice, findInvoice, findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice } from '../../helpers/invoices/invoices.ts';
import { invoicesOfEachState } from '../../helpers/lists/invoice-of-each-state.ts';

export const fieldValuesChecks: readonly Check[] = [
  check('REC-09.utc-time', ['connection'], async (lab) => {
    const sentAt = Date.now();
    const invoice = await createInvoice(lab);
    const sights = [await findInvoice(lab, invoice.id), await findCreatedInvoice(lab, invoice.body)];
    const shown = sights.filter(({ record }) => record && !Number.isNaN(createdAtMs(record)));
    if (shown.length === 0) return notApplicable('the invoice shows no createdAt that could be read');
    // The server's own clock counts as much as this machine's: either may be wrong, but not by a time zone.
    const clocks = [sentAt, Date.parse(headerValue(invoice.created, 'date') ?? '')].filter(
      (clock) => !Number.isNaN(clock),
    );
    for (const { record, response: answer } of shown) {
      const created = record ? createdAtMs(record) : Number.NaN;
      // The day alone is told: what may be the time of another zone is no time at all.
      if (created % DAY_MS === 0) notApplicable(`createdAt ${String(record?.createdAt)} tells the day alone`);
      const offsets = clocks.map((clock) => zoneOffsetMinutes(created - clock));
      const because = `createdAt ${String(record?.createdAt)} is ${offsets[0]} minutes off the time of the creation`;
      expectThat(lab, offsets.includes(0), answer, `about ${new Date(sentAt).toISOString()}, in UTC`, because);
    }
  }),

  checkInPhase('late', 'REC-10.amount', ['connection'], async (lab) => {
    const { invoices } = await invoicesOfEachState(lab);
    for (const { id, state, body, created } of invoices) {
      const { record, response: answer } = await findSettledInvoice(lab, { id, state });
      const kept = record?.amount === body.amount && record.dueDate === body.dueDate;
      const because = `the ${state} invoice has ${String(record?.amount)}, due ${String(record?.dueDate)}`;
      expectThat(lab, kept, answer, `amount ${body.amount} and dueDate ${body.dueDate}, as created`, because);
      // Whether it is returned at all is not shown, nor whether everywhere.
      const [then, now] = [invoiceIn(created)?.description, record?.description];
      const same = typeof then !== 'string' || typeof now !== 'string' || then === now;
      const text = `the ${state} invoice has the description ${JSON.stringify(now)}`;
      expectThat(lab, same, answer, `description ${JSON.stringify(then)}, as created`, text);
    }
  }),
];
