import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isPreexisting } from '../context/preexisting-invoices.ts';
import { hasMark } from '../context/run-mark.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { MAX_ORIGIN_DELAY_MS } from '../invoices/candidate-invoices.ts';
import type { BodyDefect } from '../invoices/find-invoice.ts';
import { findInvoice, isCreatedFrom } from '../invoices/find-invoice.ts';

export interface RejectedCreation {
  refusal: ApiResponse;
  body: InvoiceBody;
  /** The declared field that cannot serve to recognise what came of it. */
  defect: BodyDefect;
}

/** Whether too little is left to recognise an invoice by. */
export function isInconclusive(defect: BodyDefect): boolean {
  return defect === 'amount' || defect === 'dueDate';
}

const isCreatedByRun = (ctx: CheckContext, id: unknown): boolean =>
  ctx.run.leftovers().some(([made]) => made === String(id));

/**
 * Of the records that a list shows one that came of a refused creation; `all` are the refusals of the run so far. Neither what the
 * kit is known to have made by another request, nor what was there before, nor what its description tells to be somebody else's.
 * Where no description is shown, and somebody else creates invoices at the same time, it may be theirs.
 */
export async function createdDespiteRejection(
  ctx: CheckContext,
  refused: RejectedCreation,
  records: readonly JsonObject[],
  all: readonly RejectedCreation[],
): Promise<JsonObject | undefined> {
  const { body, defect, refusal } = refused;
  for (const record of records) {
    if (
      isPreexisting(ctx, record) ||
      !isCreatedFrom(record, body, defect) ||
      (await isFromAcceptedCreation(ctx, record.id))
    )
      continue;
    const told = await readDescription(ctx, record);
    if (told === body.description) return record;
    if (told) {
      if (!isInconclusive(defect) && !isForeign(ctx, told, records)) return record;
      continue;
    }
    const plausible = !isInconclusive(defect) || mayBeParsedAmount(record.amount, refusal.sentBody, body);
    if (plausible && !hasUnexplainedInvoices(ctx, records, all)) return record;
  }
  return undefined;
}

/** Whether an invoice came of an accepted creation, of which the answer may still be on its way. */
async function isFromAcceptedCreation(ctx: CheckContext, id: unknown): Promise<boolean> {
  if (!isCreatedByRun(ctx, id)) await pause(MAX_ORIGIN_DELAY_MS);
  return isCreatedByRun(ctx, id);
}

/** What a list does not show of an invoice, reading it may. */
async function readDescription(ctx: CheckContext, { id, description }: JsonObject): Promise<string | null> {
  const reads = ctx.target.operations.read !== undefined;
  const told = description ?? (reads ? (await findInvoice(ctx, String(id))).record?.description : null);
  return typeof told === 'string' && told !== '' ? told : null;
}

/** Where the run's own bear its mark, what has another description is somebody else's. */
function isForeign(ctx: CheckContext, description: string, records: readonly JsonObject[]): boolean {
  return !hasMark(description) && records.some((each) => isCreatedByRun(ctx, each.id) && hasMark(each.description));
}

/** Whether invoices appear that neither the kit has made nor any refusal would explain, and that no description tells apart. */
function hasUnexplainedInvoices(
  ctx: CheckContext,
  records: readonly JsonObject[],
  all: readonly RejectedCreation[],
): boolean {
  return records.some(
    (each) =>
      typeof each.description !== 'string' &&
      !isPreexisting(ctx, each) &&
      !isCreatedByRun(ctx, each.id) &&
      !all.some(({ body, defect }) => isCreatedFrom(each, body, defect)),
  );
}

/** Whether a sum could be what a careless server has made of what was sent: nothing, the valid sum, or what it read of the text. */
function mayBeParsedAmount(amount: unknown, sent: string | null, valid: InvoiceBody): boolean {
  const cents = Math.round(Math.abs(Number(amount)) * 100);
  if (typeof amount !== 'string' || Number.isNaN(cents) || cents === 0) return true;
  const raw = /"amount"\s*:\s*("(?:[^"\\]|\\.)*"|[^,}\s]+)/.exec(sent ?? '')?.[1]?.replaceAll('"', '') ?? '';
  // Nothing is not read as a sum that is next to none.
  const texts = [valid.amount, raw, raw.replace(/[^\d.]/g, ''), String(Number.parseFloat(raw))].filter(Boolean);
  return texts.map(Number).some((each) => Math.abs(Math.abs(each) * 100 - cents) <= 1);
}
