import { isPlainRead } from '../../engine/diagnosis/action-words.ts';
import { missingOperationReason, rejectedPayloadReason } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { decodedText } from '../../engine/records/decoded-text.ts';
import { foundRecordIn, isObject } from '../../engine/records/invoice-records.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { OperationTemplate } from '../../specs/target-file/target.ts';
import { readInvoice } from '../api/operations.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { performAction } from '../invoices/acting-party.ts';
import { findInList, newestInvoices, readingActor } from '../invoices/find-invoice.ts';
import {
  createInvoice,
  ifReachable,
  isInvoiceState,
  mayCreateInvoices,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';
import { findNonexistentPathProblem, recordBindingTrial } from './wrong-binding.ts';

/** Why `read` is not bound to the current state of one invoice; null if it may be. */
export async function findReadProblem(ctx: CheckContext): Promise<string | null> {
  const id = await readableInvoiceId(ctx);
  if (id === undefined) return null;
  const response = await readInvoice(ctx, id);
  await recordBindingTrial(ctx, 'read', response);
  const why = missingOperationReason('read', response) ?? rejectedPayloadReason(response);
  if (why !== null) return why;
  if (!is2xx(response)) return await findNonexistentPathProblem(ctx, 'read', response, { id });
  if (isObject(response.json) && Object.hasOwn(response.json, 'totalPages')) {
    return 'returns a list instead of one invoice; correct its path';
  }
  if (!hasInvoiceFields(response, id)) return 'does not return the invoice; correct its path';
  return isPlainRead(ctx.target.operations.read as OperationTemplate) ? null : await findStaleReadProblem(ctx, id);
}

/** The contract does not define the field names of a read. */
const INVOICE_FIELD_PATTERNS = [/amount/i, /invoice[_-]?number/i, /due[_-]?date/i];

/** Whether a read shows the id of the invoice and more than one of its fields. */
function hasInvoiceFields({ text }: ApiResponse, id: string): boolean {
  return decodedText(text).includes(id) && INVOICE_FIELD_PATTERNS.filter((name) => name.test(text)).length > 1;
}

/** A snapshot may be taken at the first step, so that only the second one shows it. */
const STEPS = ['submit', 'cancel'] as const;

/** Finds a read that still shows an old state after the list shows the new one, as a report or a snapshot does. */
async function findStaleReadProblem(ctx: CheckContext, id: string): Promise<string | null> {
  if (!mayCreateInvoices(ctx)) return null;
  for (const action of STEPS) {
    const problem = ctx.target.operations[action] ? await findStaleReadAfter(ctx, id, action) : null;
    if (problem !== null) return problem;
  }
  return null;
}

async function findStaleReadAfter(ctx: CheckContext, id: string, action: InvoiceAction): Promise<string | null> {
  const from = stateOffering(action);
  const [before] = await ifReachable(() => findInList(ctx, id));
  if (before?.record?.status !== from || !isSuccess(await performAction(ctx, action, id))) return null;
  const within = ctx.target.limits.settleWithinMs;
  const hasLeft = (status: unknown) => status !== undefined && status !== from;
  const listed = await pollUntil(
    ctx,
    () => findInList(ctx, id),
    ({ record }) => hasLeft(record?.status),
    within,
  );
  const now = listed.record?.status;
  if (!hasLeft(now)) return null;
  if (isInvoiceState(now)) recordInvoiceState(ctx, { id, state: now });
  const read = await pollUntil(
    ctx,
    () => readInvoice(ctx, id),
    (response) => hasLeft(foundRecordIn(response)?.record.status),
    within,
  );
  return hasLeft(foundRecordIn(read)?.record.status)
    ? null
    : `still returns the invoice as ${from} after the list shows ${String(now)}; bind the request that returns the current state of an invoice`;
}

/** The id of a new invoice, or of an existing one if the run may not create any. */
async function readableInvoiceId(ctx: CheckContext): Promise<string | undefined> {
  if (mayCreateInvoices(ctx)) return (await createInvoice(ctx)).id;
  const [first] = (await newestInvoices(ctx, readingActor(ctx))).records;
  return first && String(first.id);
}
