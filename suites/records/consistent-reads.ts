import { list, readInvoice } from '../../helpers/api/operations.ts';
import type { ApiResponse, JsonObject } from '../../helpers/api/responses.ts';
import { invoiceIn, isShown, listItems } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { actionWorks } from '../../helpers/controls/controls.ts';
import { expectStayed } from '../../helpers/controls/spontaneous-change.ts';
import { movedOn } from '../../helpers/idempotency/replay.ts';
import { look, readerOf, recent } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { isState, reach } from '../../helpers/invoices/invoices.ts';
import { oneOfEachState } from '../../helpers/lists/invoice-of-each-state.ts';
import { expectListedAsRead } from '../../helpers/lists/listed-as-read.ts';
import type { ActorName } from '../../specs/target.ts';

/** Those beside the seller, whose view every other check takes. */
function otherViewers(lab: Lab): ActorName[] {
  const names = lab.known('buyer', 'readOnly');
  return names.length > 0 ? names : notApplicable('the target file names no other key that could see an invoice');
}

/** What one view shows otherwise than the invoice is; a field that it does not show at all is no other one. */
function otherThan({ state, body }: Invoice, record: JsonObject): string | undefined {
  const { amount, dueDate } = body;
  const known = Object.entries({ status: state, amount, dueDate });
  const wrong = known.find(([field, value]) => {
    const shown = record[field as keyof JsonObject];
    // What reading answers is not shown: it may tell a field in members of its own.
    return field in record && typeof shown !== 'object' && shown !== value;
  });
  return wrong && `${wrong[0]} ${JSON.stringify(record[wrong[0] as keyof JsonObject])}`;
}

/** Throws a Breach for a view that differs from the seller's own of this moment. */
async function expectSellersView(
  lab: Lab,
  name: ActorName,
  invoice: Invoice,
  seen: { answer: ApiResponse; shown: string },
): Promise<void> {
  const { record } = await look(lab, invoice.id, 'seller');
  // It has moved on by itself since, and everybody sees that.
  if (!record || otherThan(invoice, record)) return;
  await expectStayed(lab, invoice, performance.now());
  const { id, state, body } = invoice;
  const expected = `invoice ${id} ${state}, of ${body.amount}, due ${body.dueDate}`;
  throw breach(lab, seen.answer, expected, `the ${name} sees it with ${seen.shown}`);
}

/** The invoice, where reading it shows it. */
function readRecord(answer: ApiResponse, { id }: Invoice): JsonObject | undefined {
  const record = isShown(answer) ? invoiceIn(answer) : undefined;
  return record && String(record.id) === id ? record : undefined;
}

/** What one cannot see at all is hidden from them, and no other state: false then. */
async function expectReadAlike(lab: Lab, name: ActorName, invoice: Invoice): Promise<boolean> {
  const wrong = (answer: ApiResponse) => {
    const record = readRecord(answer, invoice);
    return record && otherThan(invoice, record);
  };
  const ask = () => readInvoice(lab, invoice.id, { as: lab.who(name) });
  const answer = await pollUntil(lab, ask, (seen) => !wrong(seen));
  const shown = wrong(answer);
  if (shown) await expectSellersView(lab, name, invoice, { answer, shown });
  return readRecord(answer, invoice) !== undefined;
}

async function expectListedAlike(lab: Lab, name: ActorName, invoices: readonly Invoice[]): Promise<boolean> {
  const first = await list(lab, { page: 0, limit: 1 }, { as: lab.who(name) });
  if (!isShown(first)) return false;
  const listed = (records: readonly JsonObject[], { id }: Invoice) => records.find((each) => String(each.id) === id);
  const wrong = (records: readonly JsonObject[]) =>
    invoices.flatMap((invoice) => {
      const record = listed(records, invoice);
      const shown = record && otherThan(invoice, record);
      return shown ? [{ invoice, shown }] : [];
    })[0];
  const { records, answer } = await pollUntil(lab, recent(lab, name), (seen) => !wrong(seen.records));
  const found = wrong(records);
  if (found) await expectSellersView(lab, name, found.invoice, { answer, shown: found.shown });
  return invoices.some((invoice) => listed(records, invoice));
}

function expectAnySeen(seen: readonly boolean[]): void {
  if (!seen.includes(true)) notApplicable('no other key is shown any of these invoices');
}

/** How long a key may take to see a new invoice, before what it sees of it is of no interest, in milliseconds. */
const FIRST_SIGHT_MS = 500;

/** Asked by nobody else, so that what is kept of it was taken in here. */
const OWN_QUERY = { page: 0, limit: 93, sortBy: 'createdAt', sortOrder: 'desc' } as const;

/** What a key was shown before the invoice moved on is not what it is shown afterwards. */
async function expectSeenMoved(lab: Lab): Promise<void> {
  if (!(await actionWorks(lab, 'submit'))) notApplicable('no invoice is ever a DRAFT');
  const invoice = await reach(lab, 'DRAFT');
  const { read } = lab.target.operations;
  const views = otherViewers(lab).flatMap((name) => {
    const as = lab.who(name);
    const inList = async () => {
      const answer = await list(lab, OWN_QUERY, { as });
      return { answer, record: listItems(answer).find(({ id }) => String(id) === invoice.id) };
    };
    const byRead = async () => {
      const answer = await readInvoice(lab, invoice.id, { as });
      return { answer, record: readRecord(answer, invoice) };
    };
    return [{ name, view: inList }, ...(read ? [{ name, view: byRead }] : [])];
  });
  const first = await Promise.all(
    views.map(({ view }) => pollUntil(lab, view, ({ record }) => !!record, FIRST_SIGHT_MS)),
  );
  const status = await movedOn(lab, invoice, ['submit']);
  if (!isState(status)) return notApplicable('a submitted invoice is no longer to be found');
  const moved = { ...invoice, state: status };
  const seen = await Promise.all(
    views.map(async ({ name, view }, at) => {
      // Who has seen nothing of it, a draft for instance, keeps nothing old of it either.
      if (!first[at]?.record) return false;
      const { answer, record } = await pollUntil(lab, view, (now) => !now.record || !otherThan(moved, now.record));
      const shown = record && otherThan(moved, record);
      if (shown) await expectSellersView(lab, name, moved, { answer, shown });
      return true;
    }),
  );
  expectAnySeen(seen);
}

const OF_EACH_STATUS = 3;

/** What reading shows of an invoice is what the list shows of it; some of each status that is listed. */
async function expectReadAsListed(lab: Lab): Promise<void> {
  const { records, answer } = await recent(lab, readerOf(lab))();
  const statuses = [...new Set(records.map(({ status }) => status))];
  const some = statuses.flatMap((each) => records.filter(({ status }) => status === each).slice(0, OF_EACH_STATUS));
  if (some.length === 0) notApplicable('the list shows no invoice that could be read');
  const read = await Promise.all(
    some.map(async ({ id }) => {
      // Whether it can be read at all is the promise of reading.
      if (!(await look(lab, String(id))).record) return false;
      await expectListedAsRead(lab, String(id), answer);
      return true;
    }),
  );
  if (!read.includes(true)) notApplicable('reading shows none of the invoices that the list shows');
}

export const consistentReadsChecks: readonly Check[] = [
  check('REC-15.after-transition', ['connection', 'submit'], expectSeenMoved),

  checkIn('late', 'REC-15.read', ['connection', 'read'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    const viewers = otherViewers(lab);
    const asked = viewers.flatMap((name) => invoices.map((invoice) => expectReadAlike(lab, name, invoice)));
    expectAnySeen(await Promise.all(asked));
  }),

  checkIn('late', 'REC-15.listed', ['connection'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    expectAnySeen(await Promise.all(otherViewers(lab).map((name) => expectListedAlike(lab, name, invoices))));
  }),

  checkIn('late', 'REC-15.read-as-listed', ['seller', 'read'], expectReadAsListed),
];
