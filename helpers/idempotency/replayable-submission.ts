import type { ApiResponse } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { type ActExtra, act } from '../api/operations.ts';
import type { Lab } from '../context/check-context.ts';
import { actionWorks } from '../controls/controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { partyFor, patiently } from '../invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../invoices/find-invoice.ts';
import { type Invoice, keepTrack, reach } from '../invoices/invoices.ts';

export interface Submission {
  invoice: Invoice;
  first: ApiResponse;
  /** The same request once more, in another check's name or with something else about it. */
  again: (replaying: Lab, more?: ActExtra) => Promise<ApiResponse>;
}

/**
 * A submission with a requestId, to be repeated, of an invoice that was created with these changes. Throws NotApplicable where no
 * invoice is ever a DRAFT.
 */
export async function submitted(lab: Lab, changes: Partial<InvoiceBody> = {}): Promise<Submission> {
  if (!(await actionWorks(lab, 'submit'))) throw new NotApplicable('no invoice is ever a DRAFT');
  const invoice = await reach(lab, 'DRAFT', changes);
  const as = lab.who(partyFor(lab, 'submit'));
  let extra = { as, requestId: lab.requestId() };
  const first = await patiently(async () => {
    // What is said of a requestId whose request was refused is not shown.
    extra = { as, requestId: lab.requestId() };
    return await act(lab, 'submit', invoice.id, extra);
  });
  await expectOffered(lab, invoice, first, 'a submission with a requestId');
  await lookUntil(lab, invoice.id, hasLeft('DRAFT'));
  keepTrack(lab, { id: invoice.id, state: 'SUBMITTED' });
  return {
    invoice,
    first,
    again: (replaying, more = {}) => act(replaying, 'submit', invoice.id, { ...extra, ...more }),
  };
}
