import { postInvoicesSimultaneously } from '../../helpers/api/operations.ts';
import { invoiceIn, isInvoiceNumberTaken, isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { exclusively } from '../../helpers/invoices/exclusive-section.ts';
import { waitUntilLeft } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, type Invoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';

/** Number of creations that arrive at the same moment. */
const SIMULTANEOUS_CREATIONS = 8;

/** Sends the creations at once, and leaves out those that the server rejected because their number was taken. */
async function createSimultaneously(ctx: CheckContext): Promise<Invoice[]> {
  const bodies = Array.from({ length: SIMULTANEOUS_CREATIONS }, () => validBody(ctx));
  const responses = await postInvoicesSimultaneously(ctx, bodies);
  const served = bodies.flatMap((body, at) => {
    const response = responses[at];
    return response && !isInvoiceNumberTaken(response) ? [{ body, response }] : [];
  });
  return await Promise.all(served.map(({ body, response }) => resolveCreatedInvoice(ctx, body, response)));
}

export const invoiceNumberChecks: readonly Check[] = [
  checkInPhase(FIRST_IN_MAIN, 'REC-11.after-delete', ['connection', 'delete'], (ctx) =>
    exclusively(ctx, async (ctx) => {
      // In sequence, because a server that numbers by counting then assigns the number of the second invoice again.
      const one = await createInvoice(ctx);
      const two = await createInvoice(ctx);
      if (one.state !== 'DRAFT') return notApplicable('a new invoice is never a DRAFT on this server');
      if (!isSuccess(await performAction(ctx, 'delete', one.id)))
        notApplicable('the server rejects the delete action', { judgedBy: 'LIFE-01.draft-delete' });
      await waitUntilLeft(ctx, one.id, { from: 'DRAFT', by: 'delete', mayBeGone: true });
      ctx.run.leftovers.recordDeleted(one.id);
      const next = await createInvoice(ctx);
      const [earlier, given] = [two, next].map(({ created }) => invoiceIn(created)?.invoiceNumber);
      const because = `the new invoice has invoiceNumber ${JSON.stringify(given)}, the number of invoice ${two.id}`;
      expectThat(
        ctx,
        earlier === undefined || earlier !== given,
        next.created,
        'an invoiceNumber that no other invoice has',
        because,
      );
    }),
  ),

  check('REC-11.simultaneous', ['connection'], async (ctx) => {
    const invoices = await createSimultaneously(ctx);
    const last = invoices[1]?.created;
    if (!last) return notApplicable('the server accepts only one of several concurrent creations');
    const count = invoices.length;
    const ids = new Set(invoices.map(({ id }) => id));
    const because = `the created invoices have ${ids.size} different ids`;
    expectThat(ctx, ids.size === count, last, `${count} different ids for ${count} creations`, because);
    const numbers = new Set(invoices.map(({ created }) => invoiceIn(created)?.invoiceNumber));
    const unique = numbers.size === count || numbers.has(undefined);
    const expected = `${count} different invoiceNumbers for ${count} creations`;
    const shown = `the responses have ${numbers.size} different invoiceNumbers: ${[...numbers].join(', ')}`;
    expectThat(ctx, unique, last, expected, shown);
  }),
];
