import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { CheckContext } from '../context/check.ts';
import { hasMark, isPreexisting } from '../context/invoice-history.ts';
import { type BodyDefect, type InvoiceBody, isCreatedFrom } from '../data/invoice-body.ts';
import { MAX_ORIGIN_DELAY_MS } from '../invoices/candidate-invoices.ts';
import { findInvoice } from '../invoices/find-invoice.ts';

export interface RejectedCreation {
  rejection: ApiResponse;
  body: InvoiceBody;
  /** The declared field with the defect; it cannot identify a created invoice. */
  defect: BodyDefect;
}

/** Whether the remaining fields cannot identify an invoice. */
export function isInconclusive(defect: BodyDefect): boolean {
  return defect === 'amount' || defect === 'dueDate';
}

const isCreatedByRun = (ctx: CheckContext, id: unknown): boolean =>
  ctx.run.leftovers.entries().some(([made]) => made === String(id));

/**
 * The listed record that a rejected creation made, or null; `all` are the rejections of the run so far. Ignores invoices of
 * accepted creations, earlier invoices and foreign descriptions. Without descriptions, a match may be a foreign invoice.
 */
export async function createdDespiteRejection(
  ctx: CheckContext,
  rejected: RejectedCreation,
  records: readonly JsonObject[],
  all: readonly RejectedCreation[],
): Promise<JsonObject | undefined> {
  const { body, defect, rejection } = rejected;
  for (const record of records) {
    if (
      isPreexisting(ctx, record) ||
      !isCreatedFrom(record, body, defect) ||
      (await isFromAcceptedCreation(ctx, record.id))
    )
      continue;
    const shown = await readDescription(ctx, record);
    if (shown === body.description) return record;
    if (shown) {
      if (!isInconclusive(defect) && !isForeign(ctx, shown, records)) return record;
      continue;
    }
    const plausible = !isInconclusive(defect) || mayBeParsedAmount(record.amount, rejection.sentBody, body);
    if (plausible && !hasUnexplainedInvoices(ctx, records, all)) return record;
  }
  return undefined;
}

/** Whether an accepted creation made the invoice; its response may not have arrived yet. */
async function isFromAcceptedCreation(ctx: CheckContext, id: unknown): Promise<boolean> {
  if (!isCreatedByRun(ctx, id)) await pause(MAX_ORIGIN_DELAY_MS);
  return isCreatedByRun(ctx, id);
}

/** Reads the invoice if the list shows no description. */
async function readDescription(ctx: CheckContext, { id, description }: JsonObject): Promise<string | null> {
  const reads = ctx.target.operations.read !== undefined;
  const shown = description ?? (reads ? (await findInvoice(ctx, String(id))).record?.description : null);
  return typeof shown === 'string' && shown !== '' ? shown : null;
}

/** Where lists show the run's own descriptions, an invoice with another description is foreign. */
function isForeign(ctx: CheckContext, description: string, records: readonly JsonObject[]): boolean {
  return !hasMark(description) && records.some((each) => isCreatedByRun(ctx, each.id) && hasMark(each.description));
}

/** Whether new invoices exist that match neither the kit's own nor any rejection, and that no description identifies. */
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

/** Whether the amount could be a wrong parse of the sent one: missing, the valid amount, or the number in the text. */
function mayBeParsedAmount(amount: unknown, sent: string | null, valid: InvoiceBody): boolean {
  const cents = Math.round(Math.abs(Number(amount)) * 100);
  if (typeof amount !== 'string' || Number.isNaN(cents) || cents === 0) return true;
  const raw = /"amount"\s*:\s*("(?:[^"\\]|\\.)*"|[^,}\s]+)/.exec(sent ?? '')?.[1]?.replaceAll('"', '') ?? '';
  // A missing amount is never parsed as a very small one.
  const texts = [valid.amount, raw, raw.replace(/[^\d.]/g, ''), String(Number.parseFloat(raw))].filter(Boolean);
  return texts.map(Number).some((each) => Math.abs(Math.abs(each) * 100 - cents) <= 1);
}
