import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../engine/answer.ts';
import { describe } from '../engine/answer.ts';
import { findInvoice } from '../engine/invoice-record.ts';
import { Blocked } from '../engine/outcome.ts';
import { accepted } from './accepted.ts';
import { breach } from './expect.ts';
import { type InvoiceBody, validBody } from './invoice-body.ts';
import { type Invoice, invoiceOf } from './invoices.ts';
import type { Lab } from './lab.ts';
import { postInvoice } from './operations.ts';

export interface Original {
  body: InvoiceBody & { requestId: string };
  answer: Answer;
  invoice: Invoice;
}

/** A creation with a requestId, to be repeated. Throws Blocked when it is refused. */
export async function original(lab: Lab, requestId = lab.requestId()): Promise<Original> {
  const body = { ...validBody(lab), requestId };
  const answer = await postInvoice(lab, body);
  if (!accepted(answer))
    throw new Blocked('CREATE-13.request-id', `a creation with a requestId is refused: ${describe(answer)}`);
  return { body, answer, invoice: await invoiceOf(lab, body, answer) };
}

/** The replayed answer has the status of the original one and carries the same invoice, field for field. */
export function expectOriginal(lab: Lab, first: Answer, replayed: Answer): void {
  if (replayed.status !== first.status) {
    throw breach(lab, replayed, `the original status ${first.status}`, `answered with ${replayed.status}`, [first]);
  }
  const [then, now] = [first, replayed].map(
    (each) => findInvoice(each.json, each)?.record ?? withoutEnvelope(each.json),
  );
  if (!isDeepStrictEqual(then, now)) {
    throw breach(lab, replayed, `the original ${JSON.stringify(then)}`, 'the replayed answer differs', [first]);
  }
}

/** Of the exchange, not of what was done in it: names that gateways give to what they add to every body. */
const OF_THE_EXCHANGE =
  /^(meta|_meta|timestamp|served_?at|responded_?at|(trace|correlation|span|x?[-_]?request)[-_]?id)$/i;

function withoutEnvelope(json: unknown): unknown {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => !OF_THE_EXCHANGE.test(name)));
}
