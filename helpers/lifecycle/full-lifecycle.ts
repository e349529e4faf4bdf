import { type InvoiceState, lifecycle, wayTo } from '../../specs/lifecycle.ts';
import { blamesNotTheState, expectFunds } from '../api/error-codes.ts';
import type { ActExtra } from '../api/operations.ts';
import { type ApiResponse, describeResponse, invoiceIn } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { actionWorks } from '../controls/controls.ts';
import { expectOffered } from '../controls/spontaneous-change.ts';
import { perform } from '../invoices/acting-party.ts';
import { lookSettled, lookUntil } from '../invoices/find-invoice.ts';
import {
  bring,
  type Invoice,
  isState,
  keepTrack,
  operationsTo,
  settlesUnapproved,
  whereReachable,
} from '../invoices/invoices.ts';
import { expectNotLate } from '../invoices/late-effect.ts';
import { expectRefusedByState, expectUnmoved } from './rejected-action.ts';

/** Each action on the way to its settlement, or so far, is accepted, and what the answer to it tells of its state comes true. */
export async function expectAllTheWay(
  lab: Lab,
  invoice: Invoice,
  what: string,
  end: InvoiceState = 'SETTLED',
  extra: Omit<ActExtra, 'as'> = {},
): Promise<void> {
  const way = wayTo(invoice.state, end) ?? [];
  if (way.length === 0) return notApplicable(`new invoices are ${invoice.state}`);
  for (const action of way) {
    if (!(await actionWorks(lab, action))) notApplicable(`${action} is not seen to be accepted of any invoice`);
    invoice.isUnderWay = true;
    const answer = await perform(lab, action, invoice.id, extra);
    expectFunds(answer);
    if (blamesNotTheState(answer)) return notApplicable(`${action} of ${what} is refused: ${describeResponse(answer)}`);
    await expectOffered(lab, invoice, answer, `${action} of ${what}`);
    const to = lifecycle.leadsTo[action] as InvoiceState;
    const { held, record, answer: seen } = await lookUntil(lab, invoice.id, (found) => found?.status === to);
    if (!held) {
      if (record?.status === invoice.state) await expectNothingClaimed(lab, invoice, answer, seen);
      return notApplicable(`${action} does not lead to ${to} here; LIFE-04 judges that`);
    }
    invoice.state = to;
    invoice.isUnderWay = false;
    keepTrack(lab, invoice);
  }
}

/**
 * An accepted action may leave the invoice where it is for now: a second person has to approve, or it is paid when due. What
 * is told in the answer to it must be so, though.
 */
export async function expectNothingClaimed(
  lab: Lab,
  { id, state }: Invoice,
  answer: ApiResponse,
  seen: ApiResponse,
): Promise<void> {
  const told = invoiceIn(answer)?.status;
  lab.observe('action-delay', `${answer.ask.operation} leaves it ${state} for now`);
  const because = `it is still ${state}`;
  if (!isState(told) || told === state) return;
  await expectNotLate(lab, { id, from: state, answer });
  throw breach(lab, seen, `status ${told}, as the answer to it says`, because, [answer]);
}

/** What the state of an invoice does not offer is refused in it; false where the invoice cannot be brought there. */
export async function refusedTo(lab: Lab, state: InvoiceState, made: Invoice): Promise<boolean> {
  const { operations } = lab.target;
  if (!operationsTo(state).every((action) => operations[action])) return false;
  const [invoice] = await whereReachable(() => bring(lab, made, state));
  if (!invoice) return false;
  const { record: before } = await lookSettled(lab, invoice);
  for (const action of lifecycle.actions) {
    if (!operations[action] || lifecycle.offered[state].includes(action)) continue;
    const worksElsewhere = await actionWorks(lab, action);
    await expectRefusedByState(lab, action, invoice, { conflict: !settlesUnapproved(state, action), worksElsewhere });
  }
  await expectUnmoved(lab, invoice, before);
  return true;
}
