import { sandboxHeader } from '../api/environment-header.ts';
import { postInvoice, type RequestOptions } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { otherCurrency } from '../fixtures/created-invoice.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';

/** What may go with a valid creation: with any of it a request takes another path through one server or another. */
export interface MaximalRequest {
  /** The body with as much as this server accepts: another currency, a sum of more digits, and a createRequestId of its own. */
  body: InvoiceBody;
  /** The environment of the key, named, and the charset of the body. */
  headers: NonNullable<RequestOptions['headers']>;
}

interface AcceptedOptions {
  currency?: string;
  addedAmount: number;
  headers: MaximalRequest['headers'];
}

const CHARSET_HEADER: readonly [string, string] = ['Content-Type', 'application/json; charset=utf-8'];
/** Added to a sum, it has more digits than the others. */
const ADDED_AMOUNT = 1200;

/** A valid body and headers, dressed in whatever this server was seen to accept. */
export async function maximalRequest(lab: CheckContext): Promise<MaximalRequest> {
  return buildMaximalRequest(lab, await lab.run.memoize('dressed creation', () => findAcceptedOptions(lab)));
}

function buildMaximalRequest(
  lab: CheckContext,
  { currency, addedAmount: more, headers }: AcceptedOptions,
): MaximalRequest {
  const valid = validBody(lab);
  const amount = (Number(valid.amount) + more).toFixed(2);
  return { body: { ...valid, amount, ...(currency && { currency }), requestId: lab.createRequestId() }, headers };
}

async function findAcceptedOptions(lab: CheckContext): Promise<AcceptedOptions> {
  const currency = await otherCurrency(lab);
  const inCurrency = currency ? { currency } : {};
  const candidates: AcceptedOptions[] = [
    { ...inCurrency, addedAmount: ADDED_AMOUNT, headers: [...sandboxHeader, CHARSET_HEADER] },
    { ...inCurrency, addedAmount: 0, headers: [...sandboxHeader, CHARSET_HEADER] },
    { ...inCurrency, addedAmount: 0, headers: sandboxHeader },
  ];
  for (const candidate of candidates) {
    const { body, headers } = buildMaximalRequest(lab, candidate);
    const answer = await postInvoice(lab, body, { headers });
    if (!isSuccess(answer)) continue;
    await resolveCreatedInvoice(lab, body, answer);
    return candidate;
  }
  return { addedAmount: 0, headers: [] };
}
