import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/find-invoice-record.ts';
import type { Lab } from '../context/check-context.ts';
import { wasThereBefore } from '../context/preexisting-invoices.ts';
import { bearsMark } from '../context/run-mark.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { BEFORE_KNOWN_MS } from '../invoices/candidate-invoices.ts';
import type { Defect } from '../invoices/find-invoice.ts';
import { isOf, look } from '../invoices/find-invoice.ts';

export interface Refused {
  refusal: ApiResponse;
  body: InvoiceBody;
  /** The declared field that cannot serve to recognise what came of it. */
  defect: Defect;
}

/** Whether too little is left to recognise an invoice by. */
export function isVague(defect: Defect): boolean {
  return defect === 'amount' || defect === 'dueDate';
}

const isMade = (lab: Lab, id: unknown): boolean => lab.run.leftovers().some(([made]) => made === String(id));

/**
 * Of the records that a list shows one that came of a refused creation; `all` are the refusals of the run so far. Neither what the
 * kit is known to have made by another request, nor what was there before, nor what its description tells to be somebody else's.
 * Where no description is shown, and somebody else creates invoices at the same time, it may be theirs.
 */
export async function cameOf(
  lab: Lab,
  refused: Refused,
  records: readonly JsonObject[],
  all: readonly Refused[],
): Promise<JsonObject | undefined> {
  const { body, defect, refusal } = refused;
  for (const record of records) {
    if (wasThereBefore(lab, record) || !isOf(record, body, defect) || (await isKnown(lab, record.id))) continue;
    const told = await describedAs(lab, record);
    if (told === body.description) return record;
    if (told) {
      if (!isVague(defect) && !isStrange(lab, told, records)) return record;
      continue;
    }
    const plausible = !isVague(defect) || mayComeOf(record.amount, refusal.sent, body);
    if (plausible && !isCrowded(lab, records, all)) return record;
  }
  return undefined;
}

/** Whether an invoice came of an accepted creation, of which the answer may still be on its way. */
async function isKnown(lab: Lab, id: unknown): Promise<boolean> {
  if (!isMade(lab, id)) await pause(BEFORE_KNOWN_MS);
  return isMade(lab, id);
}

/** What a list does not show of an invoice, reading it may. */
async function describedAs(lab: Lab, { id, description }: JsonObject): Promise<string | null> {
  const reads = lab.target.operations.read !== undefined;
  const told = description ?? (reads ? (await look(lab, String(id))).record?.description : null);
  return typeof told === 'string' && told !== '' ? told : null;
}

/** Where the run's own bear its mark, what has another description is somebody else's. */
function isStrange(lab: Lab, description: string, records: readonly JsonObject[]): boolean {
  return !bearsMark(description) && records.some((each) => isMade(lab, each.id) && bearsMark(each.description));
}

/** Whether invoices appear that neither the kit has made nor any refusal would explain, and that no description tells apart. */
function isCrowded(lab: Lab, records: readonly JsonObject[], all: readonly Refused[]): boolean {
  return records.some(
    (each) =>
      typeof each.description !== 'string' &&
      !wasThereBefore(lab, each) &&
      !isMade(lab, each.id) &&
      !all.some(({ body, defect }) => isOf(each, body, defect)),
  );
}

/** Whether a sum could be what a careless server has made of what was sent: nothing, the valid sum, or what it read of the text. */
function mayComeOf(amount: unknown, sent: string | null, valid: InvoiceBody): boolean {
  const cents = Math.round(Math.abs(Number(amount)) * 100);
  if (typeof amount !== 'string' || Number.isNaN(cents) || cents === 0) return true;
  const raw = /"amount"\s*:\s*("(?:[^"\\]|\\.)*"|[^,}\s]+)/.exec(sent ?? '')?.[1]?.replaceAll('"', '') ?? '';
  // Nothing is not read as a sum that is next to none.
  const texts = [valid.amount, raw, raw.replace(/[^\d.]/g, ''), String(Number.parseFloat(raw))].filter(Boolean);
  return texts.map(Number).some((each) => Math.abs(Math.abs(each) * 100 - cents) <= 1);
}
