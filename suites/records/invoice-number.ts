import { isInvoiceNumberTaken } from '../../helpers/api/error-codes.ts';
import { postInvoicesSimultaneously } from '../../helpers/api/operations.ts';
import { invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { exclusively } from '../../helpers/invoices/exclusive-section.ts';
import { hasLeftState, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';

/** Creations that arrive at the same moment. */
const SIMULTANEOUS_CREATIONS = 16;

export const invoiceNumberChecks: readonly Check[] = [
  checkInPhase(FIRST_IN_MAIN, 'REC-11.after-delete', ['connection', 'delete'], (ctx) =>
    exclusively(ctx, async () => {
      // One after the other: whoever numbers by counting gives the second one the number that is due again.
      const one = await createInvoice(ctx);
      const two = await createInvoice(ctx);
      if (one.state !== 'DRAFT') return notApplicable('no invoice is ever a DRAFT');
      if (!isSuccess(await performAction(ctx, 'delete', one.id)))
        notApplicable('delete is refused; LIFE-01 judges that');
      await waitForInvoice(ctx, one.id, hasLeftState('DRAFT', true));
      ctx.run.recordDeleted(one.id);
      const next = await createInvoice(ctx);
      const [held, given] = [two, next].map(({ created }) => invoiceIn(created)?.invoiceNumber);
      const because = `it has ${JSON.stringify(given)}, the number of invoice ${two.id}`;
      expectThat(ctx, held === undefined || held !== given, next.created, 'an invoiceNumber of its own', because);
    }),
  ),

  check('REC-11.simultaneous', ['connection'], async (ctx) => {
    const bodies = Array.from({ length: SIMULTANEOUS_CREATIONS }, () => validBody(ctx));
    const responses = await postInvoicesSimultaneously(ctx, bodies);
    const served = bodies.flatMap((body, at) => {
      const response = responses[at];
      return response && !isInvoiceNumberTaken(response) ? [{ body, answer: response }] : [];
    });
    const invoices = await Promise.all(
      served.map(({ body, answer: response }) => resolveCreatedInvoice(ctx, body, response)),
    );
    const last = invoices[1]?.created;
    if (!last) return notApplicable('of creations at the same moment only one is served, and the others are put off');
    const ids = new Set(invoices.map(({ id }) => id));
    expectThat(
      ctx,
      ids.size === invoices.length,
      last,
      `${invoices.length} different ids for as many creations`,
      `there are ${ids.size}`,
    );
    const numbers = new Set(invoices.map(({ created }) => invoiceIn(created)?.invoiceNumber));
    const unique = numbers.size === invoices.length || numbers.has(undefined);
    expectThat(
      ctx,
      unique,
      last,
      `${invoices.length} different invoiceNumbers for as many creations`,
      `there are ${numbers.size}: ${[...numbers].join(', ')}`,
    );
  }),
];
