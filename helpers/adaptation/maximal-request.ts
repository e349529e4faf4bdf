import { ownEnvironment } from '../api/environment-header.ts';
import { type Extra, postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { otherCurrency } from '../fixtures/created-invoice.ts';
import { invoiceOf } from '../invoices/invoices.ts';

/** What may go with a valid creation: with any of it a request takes another path through one server or another. */
export interface Dress {
  /** The body with as much as this server accepts: another currency, a sum of more digits, and a requestId of its own. */
  body: InvoiceBody;
  /** The environment of the key, named, and the charset of the body. */
  headers: NonNullable<Extra['headers']>;
}

interface Accepted {
  currency?: string;
  more: number;
  headers: Dress['headers'];
}

const CHARSET: readonly [string, string] = ['Content-Type', 'application/json; charset=utf-8'];
/** Added to a sum, it has more digits than the others. */
const MORE = 1200;

/** A valid body and headers, dressed in whatever this server was seen to accept. */
export async function dressed(lab: Lab): Promise<Dress> {
  return dressedIn(lab, await lab.run.once('dressed creation', () => acceptedDress(lab)));
}

function dressedIn(lab: Lab, { currency, more, headers }: Accepted): Dress {
  const valid = validBody(lab);
  const amount = (Number(valid.amount) + more).toFixed(2);
  return { body: { ...valid, amount, ...(currency && { currency }), requestId: lab.requestId() }, headers };
}

async function acceptedDress(lab: Lab): Promise<Accepted> {
  const currency = await otherCurrency(lab);
  const inCurrency = currency ? { currency } : {};
  const candidates: Accepted[] = [
    { ...inCurrency, more: MORE, headers: [...ownEnvironment, CHARSET] },
    { ...inCurrency, more: 0, headers: [...ownEnvironment, CHARSET] },
    { ...inCurrency, more: 0, headers: ownEnvironment },
  ];
  for (const candidate of candidates) {
    const { body, headers } = dressedIn(lab, candidate);
    const answer = await postInvoice(lab, body, { headers });
    if (!isSuccess(answer)) continue;
    await invoiceOf(lab, body, answer);
    return candidate;
  }
  return { more: 0, headers: [] };
}
