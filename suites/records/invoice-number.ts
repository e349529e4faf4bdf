import { isInvoiceNumberTaken } from '../../helpers/api/error-codes.ts';
import { postInvoicesSimultaneously } from '../../helpers/api/operations.ts';
import { invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { exclusively } from '../../helpers/invoices/exclusively.ts';
import { hasLeftState, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';

/** Creations that arrive at the same moment. */
const SIMULTANEOUS_CREATIONS = 16;

export const invoiceNumberChecks: readonly Check[] = [
  checkInPhase(FIRST_IN_MAIN, 'REC-11.after-delete', ['connection', 'delete'], (lab) =>
    exclusively(lab, async () => {
      // One after the other: whoever numbers by counting gives the second one the number that is due again.
      const one = await createInvoice(lab);
      const two = await createInvoice(lab);
      if (one.state !== 'DRAFT') return notApplicable('no invoice is ever a DRAFT');
      if (!isSuccess(await performAction(lab, 'delete', one.id)))
        notApplicable('delete is refused; LIFE-01 judges that');
      await waitForInvoice(lab, one.id, hasLeftState('DRAFT', true));
      lab.run.recordDeleted(one.id);
      const next = await createInvoice(lab);
      const [held, given] = [two, next].map(({ created }) => invoiceIn(created)?.invoiceNumber);
      const because = `it has ${JSON.stringify(given)}, the number of invoice ${two.id}`;
      expectThat(lab, held === undefined || held !== given, next.created, 'an invoiceNumber of its own', because);
    }),
  ),

  check('REC-11.simultaneous', ['connection'], async (lab) => {
    const bodies = Array.from({ length: SIMULTANEOUS_CREATIONS }, () => validBody(lab));
    const answers = await postInvoicesSimultaneously(lab, bodies);
    const served = bodies.flatMap((body, at) => {
      const answer = answers[at];
      return answer && !isInvoiceNumberTaken(answer) ? [{ body, answer }] : [];
    });
    const invoices = await Promise.all(served.map(({ body, answer }) => resolveCreatedInvoice(lab, body, answer)));
    const last = invoices[1]?.created;
    if (!last) return notApplicable('of creations at the same moment only one is served, and the others are put off');
    const ids = new Set(invoices.map(({ id }) => id));
    expectThat(
      lab,
      ids.size === invoices.length,
      last,
      `${invoices.length} different ids for as many creations`,
      `there are ${ids.size}`,
    );
    const numbers = new Set(invoices.map(({ created }) => invoiceIn(created)?.invoiceNumber));
    const unique = numbers.size === invoices.length || numbers.has(undefined);
    expectThat(
      lab,
      unique,
      last,
      `${invoices.length} different invoiceNumbers for as many creations`,
      `there are ${numbers.size}: ${[...numbers].join(', ')}`,
    );
  }),
];
