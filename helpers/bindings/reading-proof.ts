import { isPlainRead } from '../../engine/diagnosis/action-words.ts';
import { missingOperationReason, rejectedPayloadReason } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundRecordIn, isObject } from '../../engine/records/find-invoice-record.ts';
import type { OperationTemplate } from '../../specs/target.ts';
import { readInvoice } from '../api/operations.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import { pollUntil } from '../assert/poll.ts';
import { recordBindingTrial } from '../context/binding-trials.ts';
import type { CheckContext } from '../context/check-context.ts';
import { performAction } from '../invoices/acting-party.ts';
import { findInList, newestInvoices, readingActor } from '../invoices/find-invoice.ts';
import { createInvoice, ifReachable, mayCreateInvoices, recordInvoiceState } from '../invoices/invoices.ts';
import { findNonexistentPathProblem } from './wrong-binding.ts';

/** Why a reading is not bound to one of an invoice as it is; null where it may be. */
export async function findReadProblem(lab: CheckContext): Promise<string | null> {
  const id = await readableInvoiceId(lab);
  if (id === undefined) return null;
  const answer = await readInvoice(lab, id);
  await recordBindingTrial(lab, 'read', answer);
  const why = missingOperationReason('read', answer) ?? rejectedPayloadReason(answer);
  if (why !== null) return why;
  if (!is2xx(answer)) return await findNonexistentPathProblem(lab, 'read', answer, { id });
  if (isObject(answer.json) && Object.hasOwn(answer.json, 'totalPages')) {
    return 'shows a list, and not the one invoice; correct its path';
  }
  if (!hasInvoiceFields(answer, id)) return 'does not show the invoice; correct its path';
  return isPlainRead(lab.target.operations.read as OperationTemplate) ? null : await findStaleReadProblem(lab, id);
}

/** The names of fields in a reading are not shown. */
const INVOICE_FIELD_PATTERNS = [/amount/i, /invoice[_-]?number/i, /due[_-]?date/i];

/** Whether a reading shows which invoice it is, and more of it than its state. */
function hasInvoiceFields({ text }: ApiResponse, id: string): boolean {
  return text.includes(id) && INVOICE_FIELD_PATTERNS.filter((name) => name.test(text)).length > 1;
}

/** A reading that still shows what was, once the list shows what is: a report, a snapshot. */
async function findStaleReadProblem(lab: CheckContext, id: string): Promise<string | null> {
  if (!mayCreateInvoices(lab) || !lab.target.operations.submit) return null;
  const [before] = await ifReachable(() => findInList(lab, id));
  if (before?.record?.status !== 'DRAFT' || !isSuccess(await performAction(lab, 'submit', id))) return null;
  const within = lab.target.limits.settleWithinMs;
  const isSubmitted = (status: unknown) => status !== undefined && status !== 'DRAFT';
  const listed = await pollUntil(
    lab,
    () => findInList(lab, id),
    ({ record }) => isSubmitted(record?.status),
    within,
  );
  if (!isSubmitted(listed.record?.status)) return null;
  recordInvoiceState(lab, { id, state: 'SUBMITTED' });
  const read = await pollUntil(
    lab,
    () => readInvoice(lab, id),
    (answer) => isSubmitted(foundRecordIn(answer)?.record.status),
    within,
  );
  return isSubmitted(foundRecordIn(read)?.record.status)
    ? null
    : `still shows the invoice as DRAFT once it is listed as ${String(listed.record?.status)}; bind the request that shows an invoice as it is`;
}

/** A new invoice, or where nothing may be created one that is there. */
async function readableInvoiceId(lab: CheckContext): Promise<string | undefined> {
  if (mayCreateInvoices(lab)) return (await createInvoice(lab)).id;
  const [first] = (await newestInvoices(lab, readingActor(lab))).records;
  return first && String(first.id);
}
