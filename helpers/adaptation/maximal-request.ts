import { sandboxHeader } from '../api/environment-header.ts';
import { postInvoice } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { otherCurrency } from '../fixtures/created-invoice.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';

/** The optional parts of a valid creation, which may take another code path in a server. */
export interface MaximalRequest {
  /**
   * The body with all optional fields that this server accepts: another currency, a longer amount and its own
   * requestId.
   */
  body: InvoiceBody;
  /** The environment of the key and the charset of the body. */
  headers: NonNullable<RequestOptions['headers']>;
}

interface AcceptedOptions {
  currency?: string;
  addedAmount: number;
  headers: MaximalRequest['headers'];
}

const CHARSET_HEADER: readonly [string, string] = ['Content-Type', 'application/json; charset=utf-8'];
/** Added to an amount, this gives it more digits than the others. */
const ADDED_AMOUNT = 1200;

/** A valid body and headers with all optional parts that this server accepts. */
export async function maximalRequest(ctx: CheckContext): Promise<MaximalRequest> {
  return buildMaximalRequest(ctx, await acceptedOptions(ctx));
}

const acceptedOptions = sharedResult((ctx) => findAcceptedOptions(ctx));

function buildMaximalRequest(ctx: CheckContext, { currency, addedAmount, headers }: AcceptedOptions): MaximalRequest {
  const valid = validBody(ctx);
  const amount = (Number(valid.amount) + addedAmount).toFixed(2);
  return { body: { ...valid, amount, ...(currency && { currency }), requestId: ctx.createRequestId() }, headers };
}

async function findAcceptedOptions(ctx: CheckContext): Promise<AcceptedOptions> {
  const currency = await otherCurrency(ctx);
  const inCurrency = currency ? { currency } : {};
  const candidates: AcceptedOptions[] = [
    { ...inCurrency, addedAmount: ADDED_AMOUNT, headers: [...sandboxHeader, CHARSET_HEADER] },
    { ...inCurrency, addedAmount: 0, headers: [...sandboxHeader, CHARSET_HEADER] },
    { ...inCurrency, addedAmount: 0, headers: sandboxHeader },
  ];
  for (const candidate of candidates) {
    const { body, headers } = buildMaximalRequest(ctx, candidate);
    const response = await postInvoice(ctx, body, { headers });
    if (!isSuccess(response)) continue;
    await resolveCreatedInvoice(ctx, body, response);
    return candidate;
  }
  return { addedAmount: 0, headers: [] };
}
