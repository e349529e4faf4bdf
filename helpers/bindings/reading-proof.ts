import { readsOnly } from '../../engine/diagnosis/action-words.ts';
import { absence, refusedPayload } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundIn, isObject } from '../../engine/records/find-invoice-record.ts';
import type { OperationTemplate } from '../../specs/target.ts';
import { readInvoice } from '../api/operations.ts';
import { isShown, isSuccess } from '../api/responses.ts';
import { pollUntil } from '../assert/poll.ts';
import { noteTrial } from '../context/binding-trials.ts';
import type { Lab } from '../context/check-context.ts';
import { perform } from '../invoices/acting-party.ts';
import { lookListed, newest, readerOf } from '../invoices/find-invoice.ts';
import { freshInvoice, keepTrack, mayCreate, whereReachable } from '../invoices/invoices.ts';
import { answeredAsNothing } from './wrong-binding.ts';

/** Why a reading is not bound to one of an invoice as it is; null where it may be. */
export async function readWrong(lab: Lab): Promise<string | null> {
  const id = await idToRead(lab);
  if (id === undefined) return null;
  const answer = await readInvoice(lab, id);
  await noteTrial(lab, 'read', answer);
  const why = absence('read', answer) ?? refusedPayload(answer);
  if (why !== null) return why;
  if (!isShown(answer)) return await answeredAsNothing(lab, 'read', answer, { id });
  if (isObject(answer.json) && Object.hasOwn(answer.json, 'totalPages')) {
    return 'shows a list, and not the one invoice; correct its path';
  }
  if (!isOfInvoice(answer, id)) return 'does not show the invoice; correct its path';
  return readsOnly(lab.target.operations.read as OperationTemplate) ? null : await standsStill(lab, id);
}

/** The names of fields in a reading are not shown. */
const SHOWN_OF_INVOICES = [/amount/i, /invoice[_-]?number/i, /due[_-]?date/i];

/** Whether a reading shows which invoice it is, and more of it than its state. */
function isOfInvoice({ text }: ApiResponse, id: string): boolean {
  return text.includes(id) && SHOWN_OF_INVOICES.filter((name) => name.test(text)).length > 1;
}

/** A reading that still shows what was, once the list shows what is: a report, a snapshot. */
async function standsStill(lab: Lab, id: string): Promise<string | null> {
  if (!mayCreate(lab) || !lab.target.operations.submit) return null;
  const [before] = await whereReachable(() => lookListed(lab, id));
  if (before?.record?.status !== 'DRAFT' || !isSuccess(await perform(lab, 'submit', id))) return null;
  const within = lab.target.limits.settleWithinMs;
  const isSubmitted = (status: unknown) => status !== undefined && status !== 'DRAFT';
  const listed = await pollUntil(
    lab,
    () => lookListed(lab, id),
    ({ record }) => isSubmitted(record?.status),
    within,
  );
  if (!isSubmitted(listed.record?.status)) return null;
  keepTrack(lab, { id, state: 'SUBMITTED' });
  const read = await pollUntil(
    lab,
    () => readInvoice(lab, id),
    (answer) => isSubmitted(foundIn(answer)?.record.status),
    within,
  );
  return isSubmitted(foundIn(read)?.record.status)
    ? null
    : `still shows the invoice as DRAFT once it is listed as ${String(listed.record?.status)}; bind the request that shows an invoice as it is`;
}

/** A new invoice, or where nothing may be created one that is there. */
async function idToRead(lab: Lab): Promise<string | undefined> {
  if (mayCreate(lab)) return (await freshInvoice(lab)).id;
  const [first] = (await newest(lab, readerOf(lab))).records;
  return first && String(first.id);
}
