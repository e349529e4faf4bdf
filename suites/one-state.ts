import { type Answer, type InvoiceRecord, invoiceIn } from '../helpers/answers.ts';
import { expectStayed } from '../helpers/by-itself.ts';
import { type Check, checkIn } from '../helpers/check.ts';
import { breach } from '../helpers/expect.ts';
import { type Invoice, oneOfEachState } from '../helpers/invoices.ts';
import type { Lab } from '../helpers/lab.ts';
import { recent } from '../helpers/look.ts';
import { notApplicable } from '../helpers/not-judged.ts';
import { list, readInvoice } from '../helpers/operations.ts';
import { pollUntil } from '../helpers/poll.ts';
import type { ActorName } from '../specs/target.ts';

/** Those beside the seller, whose view every other check takes. */
function otherViewers(lab: Lab): ActorName[] {
  const names = (['buyer', 'readOnly'] as const).filter((name) => lab.target.actors[name]);
  return names.length > 0 ? names : notApplicable('the target file names no other key that could see an invoice');
}

/** What one view shows otherwise than the invoice is; a field that it does not show at all is no other one. */
function otherThan({ state, body }: Invoice, record: InvoiceRecord): string | undefined {
  const { amount, dueDate } = body;
  const known = Object.entries({ status: state, amount, dueDate });
  const wrong = known.find(([field, value]) => field in record && record[field as keyof InvoiceRecord] !== value);
  return wrong && `${wrong[0]} ${JSON.stringify(record[wrong[0] as keyof InvoiceRecord])}`;
}

function wrongView(lab: Lab, name: ActorName, { id, state, body }: Invoice, answer: Answer, shown: string): never {
  const expected = `invoice ${id} ${state}, of ${body.amount}, due ${body.dueDate}`;
  throw breach(lab, answer, expected, `the ${name} sees it with ${shown}`);
}

/** What one cannot see at all is hidden from them, and no other state. */
async function expectReadAlike(lab: Lab, name: ActorName, invoice: Invoice): Promise<void> {
  const wrong = (answer: Answer) => {
    const record = answer.status === 200 ? invoiceIn(answer) : undefined;
    return record && String(record.id) === invoice.id ? otherThan(invoice, record) : undefined;
  };
  const ask = () => readInvoice(lab, invoice.id, { as: lab.who(name) });
  const answer = await pollUntil(lab, ask, (seen) => !wrong(seen));
  const shown = wrong(answer);
  if (!shown) return;
  await expectStayed(lab, invoice, performance.now());
  wrongView(lab, name, invoice, answer, shown);
}

async function expectListedAlike(lab: Lab, name: ActorName, invoices: readonly Invoice[]): Promise<void> {
  const first = await list(lab, { page: 0, limit: 1 }, { as: lab.who(name) });
  if (first.status !== 200) return;
  const wrong = (records: readonly InvoiceRecord[]) =>
    invoices.flatMap((invoice) => {
      const record = records.find(({ id }) => String(id) === invoice.id);
      const shown = record && otherThan(invoice, record);
      return shown ? [{ invoice, shown }] : [];
    })[0];
  const { records, answer } = await pollUntil(
    lab,
    () => recent(lab, name),
    (seen) => !wrong(seen.records),
  );
  const found = wrong(records);
  if (!found) return;
  await expectStayed(lab, found.invoice, performance.now());
  wrongView(lab, name, found.invoice, answer, found.shown);
}

export const oneState: readonly Check[] = [
  checkIn('late', 'REC-15.read', ['connection', 'read'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    const viewers = otherViewers(lab);
    await Promise.all(viewers.flatMap((name) => invoices.map((invoice) => expectReadAlike(lab, name, invoice))));
  }),

  checkIn('late', 'REC-15.listed', ['connection'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    await Promise.all(otherViewers(lab).map((name) => expectListedAlike(lab, name, invoices)));
  }),
];
