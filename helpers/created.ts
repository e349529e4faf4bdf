import { type Answer, describe } from '../engine/answer.ts';
import { foundIn, type InvoiceField, type JsonObject } from '../engine/invoice-record.ts';
import { Blocked, NotApplicable } from '../engine/outcome.ts';
import { accepted } from './accepted.ts';
import { breach, expectAccepted } from './expect.ts';
import { type InvoiceBody, validBody } from './invoice-body.ts';
import { freshInvoice, type Invoice, invoiceOf } from './invoices.ts';
import type { Lab } from './lab.ts';
import { look, lookListed, lookUntil, type Sight } from './look.ts';
import { blockedBy, blockedByRefusal, expectPermitted } from './not-judged.ts';
import { postInvoice } from './operations.ts';
import { maybeRuled } from './own-rule.ts';
import { pollUntil } from './poll.ts';

/** One created invoice, shared by the checks that only look at the answer that created it. */
export async function createdRecord(lab: Lab): Promise<{ invoice: Invoice; answer: Answer; record: JsonObject }> {
  const invoice = await lab.run.once('created record', () => freshInvoice(lab, { amount: unrounded(lab) }));
  const record = foundIn(invoice.created)?.record ?? {};
  return { invoice, answer: invoice.created, record };
}

/** A sum that any rounding would change. */
function unrounded(lab: Lab): string {
  for (;;) {
    const { amount } = validBody(lab);
    if (/[1-9]$/.test(amount)) return amount;
  }
}

const UUID = /^[0-9a-f-]{36}$/i;

/** Equal; the letters of a UUID may be of either case. */
function same(found: unknown, value: string): boolean {
  if (found === value) return true;
  return typeof found === 'string' && UUID.test(value) && found.toLowerCase() === value.toLowerCase();
}

/** A field is what was sent, in the creating answer where it shows it, and afterwards. */
export async function expectKept(lab: Lab, invoice: Invoice, field: InvoiceField, value: string): Promise<void> {
  const shown = foundIn(invoice.created)?.record;
  if (shown && Object.hasOwn(shown, field) && !same(shown[field], value)) {
    throw breach(
      lab,
      invoice.created,
      `${field} ${JSON.stringify(value)}`,
      `the answer says ${JSON.stringify(shown[field])}`,
    );
  }
  const seen = await lookUntil(lab, invoice.id, (found) => same(found?.[field], value));
  // What reading leaves out, a list shows.
  const absent = seen.record && !Object.hasOwn(seen.record, field);
  const isListed = ({ record: found }: Sight) => same(found?.[field], value);
  const { record, answer } = absent ? await pollUntil(lab, () => lookListed(lab, invoice.id), isListed) : seen;
  if (!record || !same(record[field], value)) {
    await expectListedOtherwise(lab, invoice, field, value, record);
    const found = record ? JSON.stringify(record[field]) : 'not to be found';
    throw breach(lab, answer, `${field} ${JSON.stringify(value)} of the created invoice`, `it is ${found}`, [
      invoice.created,
    ]);
  }
}

/** Throws Blocked where only reading one invoice does not show it, or shows a field in another way than it was sent. */
async function expectListedOtherwise(
  lab: Lab,
  { id }: Invoice,
  field: InvoiceField,
  value: string,
  read: JsonObject | null,
): Promise<void> {
  if (!lab.target.operations.read || (read && !READ_AS_SENT.has(field))) return;
  const { record: listed } = await lookListed(lab, id);
  if (!listed) return;
  const isAsSent = same(listed[field], value) || (!read && !Object.hasOwn(listed, field));
  const otherwise = read ? `listed with ${field} ${value}, and read with another` : 'listed, and cannot be read';
  if (isAsSent) blockedBy('CREATE-14.readable', `invoice ${id} is ${otherwise}`);
}

/** What CREATE-14.readable judges. */
const READ_AS_SENT: ReadonlySet<InvoiceField> = new Set(['amount', 'dueDate', 'buyerOrganizationId']);

/** A field that lists show is what was sent there, too; an invoice that is not listed is judged elsewhere. */
export async function expectListedWith(lab: Lab, invoice: Invoice, field: InvoiceField, value: string): Promise<void> {
  const ask = () => lookListed(lab, invoice.id);
  const { record, answer } = await pollUntil(lab, ask, (seen) => same(seen.record?.[field], value));
  if (!record || !Object.hasOwn(record, field) || same(record[field], value)) return;
  const because = `the list shows ${JSON.stringify(record[field])}`;
  throw breach(lab, answer, `${field} ${JSON.stringify(value)} of invoice ${invoice.id}`, because, [invoice.created]);
}

/**
 * A valid creation is accepted. Throws Blocked where the server has accepted others and now accepts none: how many invoices
 * there may be, and how much they may be worth together, is not shown. Throws NotApplicable where the very same is accepted when
 * it is asked for again: what it met had nothing to do with what it holds.
 */
export async function expectCreated(lab: Lab, answer: Answer, what: string): Promise<void> {
  const before = lab.run.leftovers().some(([, { what: left }]) => left.startsWith('invoice'));
  if (!before) expectPermitted(answer);
  if (before && maybeRuled(answer)) {
    if (!(await isCreated(lab, validBody(lab))))
      throw blockedByRefusal(lab, answer, 'target', 'no invoice is accepted any more');
    // There may be rules about sums and dates.
    const { amount, dueDate } = JSON.parse(String(answer.sent)) as InvoiceBody;
    if (!(await isCreated(lab, { ...validBody(lab), amount, dueDate })))
      throw new NotApplicable(`an invoice of ${amount}, due on ${dueDate}, is refused whatever else it holds`);
    await expectRefusedAgain(lab, answer);
  }
  expectAccepted(lab, answer, what);
}

/** Whether a body is accepted. */
export async function isCreated(lab: Lab, body: InvoiceBody): Promise<boolean> {
  return (await createdOf(lab, body)) !== null;
}

/** The invoice that comes of a body; null where it is refused. */
export async function createdOf(lab: Lab, body: InvoiceBody): Promise<Invoice | null> {
  const answer = await postInvoice(lab, body);
  return accepted(answer) ? await invoiceOf(lab, body, answer) : null;
}

async function expectRefusedAgain(lab: Lab, refused: Answer): Promise<void> {
  const again = await lab.send(refused.ask);
  if (!accepted(again)) return;
  await invoiceOf(lab, JSON.parse(String(refused.sent)) as InvoiceBody, again);
  throw new NotApplicable(`it was refused once and accepted when it was asked for again: ${describe(refused)}`);
}

/** A currency that this server accepts: the one it gives an invoice that was sent without. */
export async function defaultCurrency(lab: Lab): Promise<string> {
  const { invoice, record } = await createdRecord(lab);
  const currency = record.currency ?? (await look(lab, invoice.id)).record?.currency;
  if (typeof currency === 'string') return currency;
  throw new Blocked(
    'REC-05.currency',
    `an invoice created without currency has the currency ${JSON.stringify(currency)}`,
  );
}

/** The fields that may be left out and are nothing but text: a body that has them takes another path through many servers. */
export async function optionalFields(lab: Lab): Promise<Pick<InvoiceBody, 'currency' | 'requestId'>> {
  const requestId = lab.requestId();
  try {
    return { currency: await defaultCurrency(lab), requestId };
  } catch (error) {
    // Which currency an invoice has is judged elsewhere.
    if (error instanceof Blocked) return { requestId };
    throw error;
  }
}

const COMMON = ['USD', 'EUR', 'GBP', 'CHF'];

/** A common currency that this server accepts beside its usual one, tried with one invoice each; null when it accepts none. */
export async function otherCurrency(lab: Lab): Promise<string | null> {
  return (await otherCurrencyInvoice(lab))?.currency ?? null;
}

/** The invoice in another currency than the usual one, made once. */
export async function otherCurrencyInvoice(lab: Lab): Promise<{ currency: string; invoice: Invoice } | null> {
  return await lab.run.once('other currency', async () => {
    const usual = await defaultCurrency(lab);
    for (const currency of COMMON.filter((each) => each !== usual)) {
      const body = { ...validBody(lab), currency };
      const answer = await postInvoice(lab, body);
      if (accepted(answer)) return { currency, invoice: await invoiceOf(lab, body, answer) };
    }
    return null;
  });
}
