import { isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { HUGE_SUM, LARGE_SUM, LEAST_SUM, LITTLE_SUM } from '../data/amounts.ts';
import { farAhead, longAgo } from '../data/due-dates.ts';
import { type InvoiceBody, undressed } from '../data/invoice-body.ts';
import { otherCurrency } from '../fixtures/created-invoice.ts';
import { perform } from '../invoices/acting-party.ts';
import { lookUntil } from '../invoices/find-invoice.ts';
import {
  bring,
  freshInvoice,
  type Invoice,
  keepTrack,
  operationsTo,
  reach,
  whereReachable,
} from '../invoices/invoices.ts';
import { alone } from './isolated-action.ts';
import { dressed } from './maximal-request.ts';

/** An invoice, and in which way it is not like most others. */
export interface Kind {
  what: string;
  invoice: Invoice;
}

/** Invoices of every kind that can be had, submitted where that is bound, made once for all who only look at them. */
export async function oneOfEachKind(lab: Lab): Promise<{ kinds: Kind[] }> {
  return await lab.run.once('one of each kind', async () => {
    const made = await Promise.all([...(await unlike(lab)).map((each) => ofKind(lab, ...each)), resolved(lab)]);
    return { kinds: made.flat() };
  });
}

/** What the body of an invoice may hold that a server could turn on. */
async function unlike(lab: Lab): Promise<[what: string, changes: object][]> {
  const currency = await otherCurrency(lab);
  const { body } = await dressed(lab);
  return [
    ['of a cent', { amount: LEAST_SUM }],
    ['of a small sum', { amount: LITTLE_SUM }],
    ['of a large sum', { amount: LARGE_SUM }],
    ['of more than a million', { amount: HUGE_SUM }],
    ['due long ago', { dueDate: longAgo() }],
    ['due far ahead', { dueDate: farAhead() }],
    ['created with a requestId', { requestId: lab.requestId() }],
    ['with the required fields alone', undressed(lab)],
    ['with all that may go with it', body],
    ...(currency ? [[`in ${currency}`, { currency }] satisfies [string, object]] : []),
  ];
}

async function ofKind(lab: Lab, what: string, changes: Partial<InvoiceBody>): Promise<Kind[]> {
  return await whereReachable(async () => {
    const invoice = await freshInvoice(lab, changes);
    if (invoice.state === 'DRAFT' && lab.target.operations.submit) await bring(lab, invoice, 'SUBMITTED');
    return { what, invoice };
  });
}

async function resolved(lab: Lab): Promise<Kind[]> {
  return await whereReachable(async () => ({
    what: 'that was disputed and resolved',
    invoice: await onceDisputed(lab),
  }));
}

/** An invoice that was disputed and resolved, created with these changes. Throws NotApplicable where there can be none. */
export async function onceDisputed(lab: Lab, changes: Partial<InvoiceBody> = {}): Promise<Invoice> {
  const { operations } = lab.target;
  const bound = operations.resolve && operationsTo('DISPUTED').every((action) => operations[action]);
  if (!bound) return notApplicable('the target file binds no way to a dispute and out of it');
  const { to } = await alone(lab, 'resolve');
  if (!to) return notApplicable('what a resolution leads to is not to be seen');
  // It may move the amount all the same, some time after it was accepted.
  if (to === 'DISPUTED')
    return notApplicable('nothing tells when a resolution is done here: the invoice stays DISPUTED');
  const invoice = await reach(lab, 'DISPUTED', changes);
  if (!isSuccess(await perform(lab, 'resolve', invoice.id))) notApplicable('the resolution was not accepted');
  const { held } = await lookUntil(lab, invoice.id, (seen) => seen?.status === to);
  if (!held) notApplicable(`this resolution does not lead to ${to}`);
  invoice.state = to;
  invoice.history = disputedHistory(lab, changes);
  keepTrack(lab, invoice);
  return invoice;
}

/** What an invoice has gone through that was disputed and resolved. */
export function disputedHistory(lab: Lab, changes: Partial<InvoiceBody> = {}): NonNullable<Invoice['history']> {
  return { name: 'disputed and resolved', repeat: (more) => onceDisputed(lab, { ...changes, ...more }) };
}
