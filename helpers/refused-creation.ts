import { type Answer, memberOf } from '../engine/answer.ts';
import { findInvoice } from '../engine/invoice-record.ts';
import { accepted } from './accepted.ts';
import { creationWorks } from './controls.ts';
import { breach, expectRefused } from './expect.ts';
import { type InvoiceBody, validBody } from './invoice-body.ts';
import { invoiceOf } from './invoices.ts';
import type { Lab } from './lab.ts';
import { type Defect, isOf, newest } from './look.ts';
import { type Extra, postInvoice } from './operations.ts';

export interface RefusedCreation {
  /** The one thing wrong with the request: what becomes of the valid body. A string is sent as it is. */
  spoil: (valid: InvoiceBody) => unknown;
  /** The declared field that carries the defect; it cannot serve to recognise what was created. */
  defect?: Defect;
  statuses: readonly number[];
  code?: string;
  extra?: Extra;
}

/**
 * A creation that is valid but for one defect is refused, while the same request without the defect is accepted, and no
 * invoice comes of it.
 */
export async function expectCreationRefused(
  lab: Lab,
  { spoil, defect = null, statuses, code, extra }: RefusedCreation,
): Promise<void> {
  await creationWorks(lab);
  const valid = validBody(lab);
  // Without amount or date to go by, an older invoice could be taken for one that came of this body.
  const older = defect === null ? [] : (await newest(lab)).records.map(({ id }) => id);
  const answer = await postInvoice(lab, spoil(valid), extra);
  if (accepted(answer)) await cleanUpAfter(lab, valid, answer);
  expectRefused(lab, answer, statuses, code);
  await expectNothingCreated(lab, answer, valid, defect, older);
}

/** After a refusal the seller's list holds nothing that came of the refused body. */
export async function expectNothingCreated(
  lab: Lab,
  refusal: Answer,
  valid: InvoiceBody,
  defect: Defect = null,
  older: readonly unknown[] = [],
): Promise<void> {
  const { records, answer } = await newest(lab);
  const created = records.find((record) => !older.includes(record.id) && isOf(record, valid, defect));
  if (created) {
    const because = `refused with ${refusal.status}, and yet invoice ${String(created.id)} was created: ${JSON.stringify(created)}`;
    throw breach(lab, refusal, 'no invoice after a refused creation', because, [answer]);
  }
}

/** The same of several refusals, with one look. */
export async function expectNoneCreated(
  lab: Lab,
  refusals: readonly Answer[],
  bodies: readonly InvoiceBody[],
): Promise<void> {
  const { records, answer } = await newest(lab);
  for (const [at, refusal] of refusals.entries()) {
    const body = bodies[at];
    const created = body && records.find((record) => isOf(record, body));
    if (!created) continue;
    const because = `refused with ${refusal.status}, and yet invoice ${String(created.id)} was created`;
    throw breach(lab, refusal, 'no invoice after a refused creation', because, [answer]);
  }
}

/** What a faulty server accepted is still ours to remove. */
async function cleanUpAfter(lab: Lab, valid: InvoiceBody, answer: Answer): Promise<void> {
  const shown = findInvoice(answer.json);
  if (shown && memberOf({ json: shown.record }, 'id') !== undefined) await invoiceOf(lab, valid, answer);
}
