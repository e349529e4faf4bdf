import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, memberOf } from '../engine/answer.ts';
import { findInvoice, type JsonObject } from '../engine/invoice-record.ts';
import { Breach, NotApplicable } from '../engine/outcome.ts';
import type { Run } from '../engine/run.ts';
import { accepted } from './accepted.ts';
import { creationWorks } from './controls.ts';
import { BEFORE_KNOWN_MS } from './copies.ts';
import { dressed } from './dressed.ts';
import { breach, expectRefused } from './expect.ts';
import { bearsMark, type InvoiceBody, validBody } from './invoice-body.ts';
import { invoiceOf } from './invoices.ts';
import type { Lab } from './lab.ts';
import { newestPages } from './lists.ts';
import { type Defect, isOf, look, newest } from './look.ts';
import { type Extra, postInvoice } from './operations.ts';

export interface RefusedCreation {
  /** The one thing wrong with the request: what becomes of the valid body. A string is sent as it is. */
  spoil: (valid: InvoiceBody) => unknown;
  /** The declared field that carries the defect; it cannot serve to recognise what was created. */
  defect?: Defect;
  statuses: readonly number[];
  code?: string;
  extra?: Extra;
  /** Tried a second time with whatever may go with a creation: with any of it a request takes another path through many servers. */
  whole?: true;
}

/**
 * A creation that is valid but for one defect is refused, while the same request without the defect is accepted, and no
 * invoice comes of it.
 */
export async function expectCreationRefused(lab: Lab, { whole, ...refused }: RefusedCreation): Promise<void> {
  await creationWorks(lab);
  await expectOneRefused(lab, refused, async () => validBody(lab));
  if (!whole) return;
  const { headers } = await dressed(lab);
  const extra = { ...refused.extra, headers: [...(refused.extra?.headers ?? []), ...headers] };
  await expectOneRefused(lab, { ...refused, extra }, async () => (await dressed(lab)).body);
}

async function expectOneRefused(
  lab: Lab,
  { spoil, defect = null, statuses, code, extra }: RefusedCreation,
  body: () => Promise<InvoiceBody>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const valid = await body();
    // Without amount or date to go by, an older invoice could be taken for one that came of this body.
    const older = defect === null ? [] : (await newest(lab)).records.map(({ id }) => id);
    const answer = await postInvoice(lab, spoil(valid), extra);
    if (accepted(answer)) await cleanUpAfter(lab, valid, answer);
    expectRefused(lab, answer, statuses, code);
    try {
      return await expectNothingCreated(lab, answer, valid, defect, older);
    } catch (error) {
      // A stranger's invoice may look like one of these once, but hardly every time.
      if (!isVague(defect) || tries === VAGUE_TRIES || !(error instanceof Breach)) throw error;
    }
  }
}

const VAGUE_TRIES = 3;

/** Whether too little is left to recognise an invoice by. */
function isVague(defect: Defect): boolean {
  return defect === 'amount' || defect === 'dueDate';
}

/** After a refusal the seller's list holds nothing that came of the refused body. */
export async function expectNothingCreated(
  lab: Lab,
  refusal: Answer,
  valid: InvoiceBody,
  defect: Defect = null,
  older: readonly unknown[] = [],
): Promise<void> {
  await expectNoneCreated(lab, [refusal], [valid], defect, older);
}

/** The same of several refusals, with one look. */
export async function expectNoneCreated(
  lab: Lab,
  refusals: readonly Answer[],
  bodies: readonly InvoiceBody[],
  defect: Defect = null,
  older: readonly unknown[] = [],
): Promise<void> {
  if (defect === null) remember(lab, refusals, bodies);
  const { records, answer } = await newest(lab);
  const isNew = ({ id }: JsonObject) => !older.includes(id);
  const others = records.filter((record) => isNew(record) && !bodies.some((body) => isOf(record, body, defect)));
  for (const [at, refusal] of refusals.entries()) {
    const body = bodies[at];
    const alike = body ? records.filter((record) => isNew(record) && isOf(record, body, defect)) : [];
    const created =
      body && (isVague(defect) ? await unknownOf(lab, alike, { body, refusal }, others) : await foreign(lab, alike));
    if (!created) continue;
    const because = `refused with ${refusal.status}, and yet invoice ${String(created.id)} was created: ${JSON.stringify(created)}`;
    throw breach(lab, refusal, 'no invoice after a refused creation', because, [answer]);
  }
}

/** The first record that the kit is not known to have made by another request. */
async function foreign(lab: Lab, alike: readonly JsonObject[]): Promise<JsonObject | undefined> {
  for (const record of alike) if (!(await isKnown(lab, String(record.id)))) return record;
  return undefined;
}

/** Whether an invoice came of an accepted creation, of which the answer may still be on its way. */
async function isKnown(lab: Lab, id: string): Promise<boolean> {
  if (!isMade(lab, id)) await pause(BEFORE_KNOWN_MS);
  return isMade(lab, id);
}

const isMade = (lab: Lab, id: string): boolean => lab.run.leftovers().some(([made]) => made === id);

/**
 * Of records that look alike one that neither the kit is known to have made by another request nor its description excludes.
 * Where no description is shown, and somebody else creates invoices at the same time, it may be theirs.
 */
async function unknownOf(
  lab: Lab,
  alike: readonly JsonObject[],
  { body, refusal }: Refused,
  others: readonly JsonObject[],
): Promise<JsonObject | undefined> {
  for (const record of alike) {
    const id = String(record.id);
    if (await isKnown(lab, id)) continue;
    const told = record.description ?? (lab.target.operations.read ? (await look(lab, id)).record?.description : null);
    if (told === body.description) return record;
    const crowded = others.some((other) => other.description === undefined && !isMade(lab, String(other.id)));
    if (typeof told !== 'string' && !crowded && mayComeOf(record.amount, refusal.sent, body)) return record;
  }
  return undefined;
}

/** Whether a sum could be what a careless server has made of what was sent: nothing, the valid sum, or what it read of the text. */
function mayComeOf(amount: unknown, sent: string | null, valid: InvoiceBody): boolean {
  const cents = Math.round(Math.abs(Number(amount)) * 100);
  if (typeof amount !== 'string' || Number.isNaN(cents) || cents === 0) return true;
  const raw = /"amount"\s*:\s*("(?:[^"\\]|\\.)*"|[^,}\s]+)/.exec(sent ?? '')?.[1]?.replaceAll('"', '') ?? '';
  const read = [valid.amount, raw, raw.replace(/[^\d.]/g, ''), String(Number.parseFloat(raw))].map(Number);
  return read.some((each) => Math.abs(Math.abs(each) * 100 - cents) <= 1);
}

interface Refused {
  refusal: Answer;
  body: InvoiceBody;
}

const refusedSoFar = new WeakMap<Run, Refused[]>();

function remember(lab: Lab, refusals: readonly Answer[], bodies: readonly InvoiceBody[]): void {
  const known = refusedSoFar.get(lab.run) ?? [];
  const added = refusals.flatMap((refusal, at) => (bodies[at] ? [{ refusal, body: bodies[at] }] : []));
  refusedSoFar.set(lab.run, [...known, ...added]);
}

/**
 * Nothing came of all the creations that were refused in the course of the run, looked for among as many of the newest
 * invoices as the run itself can have made. Throws NotApplicable when there were none.
 */
export async function expectNoneCreatedSince(lab: Lab): Promise<void> {
  const all = refusedSoFar.get(lab.run) ?? [];
  if (all.length === 0) throw new NotApplicable('no creation was refused in this run');
  const own = new Set(lab.run.leftovers().map(([id]) => id));
  for await (const { answer, records } of newestPages(lab)) {
    const made = ({ id }: JsonObject) => own.has(String(id));
    // Where the run's own bear its mark, what somebody else has described is theirs.
    const marked = records.some((record) => made(record) && bearsMark(record.description));
    const strange = ({ description }: JsonObject) => marked && !!description && !bearsMark(description);
    const unknown = records.filter((record) => !made(record) && !strange(record));
    for (const { refusal, body } of all) {
      const created = unknown.find((record) => isOf(record, body));
      if (!created) continue;
      const because = `refused with ${refusal.status}, and now there is invoice ${String(created.id)}: ${JSON.stringify(created)}`;
      throw breach(lab, refusal, 'no invoice after a refused creation', because, [answer]);
    }
    // Behind the run's own invoices lie those of others and of earlier days.
    if (!records.some(({ id }) => own.has(String(id)))) return;
  }
}

/** What a faulty server accepted is still ours to remove. */
async function cleanUpAfter(lab: Lab, valid: InvoiceBody, answer: Answer): Promise<void> {
  const shown = findInvoice(answer.json, answer);
  if (shown && memberOf({ json: shown.record }, 'id') !== undefined) await invoiceOf(lab, valid, answer);
}
