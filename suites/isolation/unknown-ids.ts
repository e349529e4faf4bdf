import { canHaveRequestId, readInvoice, sendAction } from '../../helpers/api/operations.ts';
import { invoiceIn, is2xx, isSuccess } from '../../helpers/api/responses.ts';
import { expectRejected, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, withPriority } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/controls.ts';
import { readsAreStale } from '../../helpers/controls/stale-reads.ts';
import { partyFor, performAction } from '../../helpers/invoices/acting-party.ts';
import { findSettledInvoice, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import {
  actionsLeadingTo,
  createInvoice,
  createInvoiceInState,
  ifReachable,
  stateOffering,
} from '../../helpers/invoices/invoices.ts';
import { nonexistentId } from '../../helpers/invoices/nonexistent-id.ts';
import { NOT_FOUND_STATUSES } from '../../helpers/isolation/hidden-invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';

/** The control: the same action on an existing invoice is accepted in this run. */
function unknownIdActionCheck(action: InvoiceAction): Check {
  return check(
    `ISO-05.${action}` as CheckId,
    ['connection', ...actionsLeadingTo(stateOffering(action)), action],
    async (lab) => {
      if (!(await runActionControl(lab, action)))
        notApplicable(`no invoice is ever in the state that offers ${action}`);
      const answer = await sendAction(lab, action, await nonexistentId(lab), {
        as: lab.credentials(partyFor(lab, action)),
      });
      expectRejected(lab, answer, NOT_FOUND_STATUSES, 'INV001');
    },
  );
}

export const unknownIdsChecks: readonly Check[] = withPriority('low', [
  check('ISO-05.read', ['seller', 'read'], async (lab) => {
    const answer = await readInvoice(lab, await nonexistentId(lab));
    expectRejected(lab, answer, NOT_FOUND_STATUSES, 'INV001');
  }),

  check('ISO-05.unusual-form', ['seller', 'read', 'boundOperations'], async (lab) => {
    for (const id of ['no-such-form', '0', '-1', 'null', "o'brien", `x${'0'.repeat(200)}`]) {
      const answer = await readInvoice(lab, id);
      lab.observe('malformed-id', answer.status);
      // Whose ids count from nothing has an invoice of that id.
      if (is2xx(answer) && invoiceIn(answer)?.id === id) continue;
      // Whether such an id is an invalid request or one that does not exist is left open.
      expectRejected(lab, answer, [404, 400], answer.status === 404 ? 'INV001' : undefined);
    }
    for (const action of lifecycle.actions.filter((each) => lab.target.operations[each])) {
      const answer = await sendAction(lab, action, 'no-such-form', { as: lab.credentials(partyFor(lab, action)) });
      // Which key may do what is not shown.
      if (answer.status === 403) continue;
      expectRejected(lab, answer, [404, 400], answer.status === 404 ? 'INV001' : undefined);
    }
  }),

  check('ISO-05.deleted', ['connection', 'delete', 'read'], async (lab) => {
    const invoice = await createInvoiceInState(lab, 'DRAFT');
    // What is not to be seen yet would pass for deleted.
    await findSettledInvoice(lab, invoice);
    const deleted = await performAction(lab, 'delete', invoice.id);
    if (!isSuccess(deleted)) notApplicable('delete is refused; LIFE-01 judges that');
    const { record } = await waitForInvoice(lab, invoice.id, (found) => found === null);
    if (record) return notApplicable(`a deleted draft is kept as ${String(record.status)}`);
    lab.run.recordDeleted(invoice.id);
    for (const name of lab.availableActors('buyer', 'readOnly')) {
      const read = () => readInvoice(lab, invoice.id, { as: lab.credentials(name) });
      const answer = await pollUntil(lab, read, (seen) => !isSuccess(seen));
      const because = `the ${name} still reads it`;
      expectThat(lab, !isSuccess(answer), answer, `404 INV001: the seller has deleted invoice ${invoice.id}`, because);
    }
    for (const action of lifecycle.actions.filter((each) => lab.target.operations[each])) {
      // Whose it is to ask for it is learned where it is offered; whether it is accepted there is judged elsewhere.
      await ifReachable(() => runActionControl(lab, action));
      const as = lab.credentials(partyFor(lab, action));
      const identified = action === 'submit' && canHaveRequestId(lab, action);
      for (const extra of [{ as }, ...(identified ? [{ as, requestId: lab.createRequestId() }] : [])]) {
        const answer = await sendAction(lab, action, invoice.id, extra);
        // Which key may do what is not shown.
        if (answer.status === 403) continue;
        if (isSuccess(answer) && (await readsAreStale(lab)))
          notApplicable('looks do not tell whether a draft is gone yet');
        // That it is gone is a state, too.
        expectRejected(lab, answer, [404, 409, 412], answer.status === 404 ? 'INV001' : undefined);
      }
    }
  }),

  check('ISO-05.similar-ids', ['connection', 'read'], async (lab) => {
    const { id } = await createInvoice(lab);
    const begins = [id.slice(0, -1), id.slice(0, Math.ceil(id.length / 2)), id.split(/[^0-9a-z]/i, 1)[0] ?? id];
    // What lacks the last segment of a path is the path of something else.
    const least = id.lastIndexOf('/') + 1;
    const begun = begins.filter((each) => each.length > least && each !== id);
    // What databases take for any letter, and people do not.
    const wild = ['%', '_', '*'].map((any) => `${id.slice(0, -1)}${any}`);
    for (const asked of [...begun, `${id}0`, `${id}x`, ...wild]) {
      const answer = await readInvoice(lab, asked);
      // Such an id may be somebody's: then it is that one which comes.
      const found = invoiceIn(answer)?.id;
      const because = `it shows invoice ${String(found)}`;
      expectThat(lab, !isSuccess(answer) || found === asked, answer, `invoice ${asked}, or 404 INV001`, because);
    }
  }),

  ...lifecycle.actions.map(unknownIdActionCheck),
]);
