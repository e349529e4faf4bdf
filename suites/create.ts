import { dressed } from '../helpers/adaptation/maximal-request.ts';
import { isNumberTaken } from '../helpers/api/error-codes.ts';
import { postInvoice, postInvoicesTogether, readInvoice } from '../helpers/api/operations.ts';
import { accepted, isShown } from '../helpers/api/response-status.ts';
import type { Answer } from '../helpers/api/responses.ts';
import { createdMilliseconds, headerIn, invoiceFields, invoiceIn, inWords } from '../helpers/api/responses.ts';
import { breach, expectAccepted, expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import type { Check } from '../helpers/check.ts';
import { check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { bearsOtherMark, markOf } from '../helpers/context/run-mark.ts';
import { creationWorks } from '../helpers/controls/controls.ts';
import { expectEveryDay } from '../helpers/creation/accepted-due-dates.ts';
import { expectNoDoubles } from '../helpers/creation/duplicate-creations.ts';
import { ownCopiesOf } from '../helpers/creation/own-duplicates.ts';
import { termsOf } from '../helpers/data/accepted-ranges.ts';
import { asAmount, HUGE_SUM, LARGE_SUM, LEAST_SUM, LITTLE_SUM } from '../helpers/data/amounts.ts';
import { isSameText, isUnchanged, textsOf } from '../helpers/data/description-text.ts';
import { isWeekday, movedToWorkday } from '../helpers/data/due-dates.ts';
import type { InvoiceBody } from '../helpers/data/invoice-body.ts';
import { unmarkedSum, validBody } from '../helpers/data/invoice-body.ts';
import { formOf } from '../helpers/data/text-pattern.ts';
import { zoneOffset } from '../helpers/data/time-zone-offset.ts';
import {
  createdRecord,
  defaultCurrency,
  expectCreated,
  expectKept,
  expectListedWith,
  isCreated,
  optionalFields,
  otherCurrencyInvoice,
} from '../helpers/fixtures/created-invoice.ts';
import { perform } from '../helpers/invoices/acting-party.ts';
import { findOf, look, lookListed, lookSettled, newest, recent } from '../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../helpers/invoices/invoices.ts';
import { freshInvoice, invoiceOf, whereReachable } from '../helpers/invoices/invoices.ts';
import { oneOfEachState } from '../helpers/lists/invoice-of-each-state.ts';
import type { CheckId } from '../specs/generated/ids.ts';

function acceptedWith(id: CheckId, bodyOf: (lab: Lab) => Promise<Partial<InvoiceBody>>): Check {
  return check(id, ['connection'], async (lab) => {
    const body = await bodyOf(lab);
    const answer = await postInvoice(lab, body);
    lab.observe('create-status', answer.status);
    await expectCreated(lab, answer, 'a created invoice');
    await invoiceOf(lab, body as InvoiceBody, answer);
  });
}

/** "The response carries the created invoice, including the platform-assigned `invoiceNumber`." */
function expectNumbered(lab: Lab, created: Answer): void {
  const number = invoiceIn(created)?.invoiceNumber;
  const because = `invoiceNumber is ${JSON.stringify(number) ?? 'absent'}`;
  const assigned = typeof number === 'string' && number !== '';
  expectThat(lab, assigned, created, 'invoiceNumber, a string assigned by the platform', because);
}

/** Whatever the sum, no optional field is needed. False where this sum is accepted with none of them. */
async function neededAlone(lab: Lab, amount: string): Promise<boolean> {
  if (!(await isCreated(lab, { ...validBody(lab), amount }))) return false;
  const body = { ...requiredOnly(lab), amount } as InvoiceBody;
  const answer = await postInvoice(lab, body);
  await expectCreated(lab, answer, `a created invoice of ${amount}`);
  await invoiceOf(lab, body, answer);
  return true;
}

/** Where a server refuses what it may refuse, there is nothing to keep. What is only `passing` is deleted again. */
async function keptWhereAccepted(
  lab: Lab,
  changes: Partial<InvoiceBody>,
  fields: readonly ('amount' | 'dueDate' | 'currency')[],
  passing = false,
): Promise<Answer> {
  const body = { ...validBody(lab), ...changes };
  const answer = await postInvoice(lab, body);
  if (!accepted(answer)) return answer;
  const invoice = await invoiceOf(lab, body, answer);
  try {
    for (const field of fields) {
      if (field === 'dueDate' && movedToWorkday(body.dueDate, await dueDateOf(lab, invoice))) continue;
      await expectKept(lab, invoice, field, String(body[field]));
    }
  } finally {
    if (passing && accepted(await perform(lab, 'delete', invoice.id))) lab.run.removed(invoice.id);
  }
  return answer;
}

/** The list says of each invoice the day that was sent; of those that are no longer on its first pages, nothing. */
async function expectListedAsSent(lab: Lab, created: readonly Answer[]): Promise<void> {
  const { records, answer } = await recent(lab)();
  for (const each of created) {
    const { dueDate } = JSON.parse(String(each.sent)) as InvoiceBody;
    const record = records.find(({ id }) => id !== undefined && id === invoiceIn(each)?.id);
    if (!record || record.dueDate === dueDate || movedToWorkday(dueDate, record.dueDate)) continue;
    const because = `the list says ${String(record.dueDate)}`;
    throw breach(lab, answer, `dueDate ${dueDate} of invoice ${String(record.id)}`, because, [each]);
  }
}

/** As the answer to its creation tells it, or else as it is seen. */
async function dueDateOf(lab: Lab, { id, created }: Invoice): Promise<unknown> {
  return invoiceIn(created)?.dueDate ?? (await look(lab, id)).record?.dueDate;
}

/** The cents of the first, and the units of the second, are more than a double can count. */
const BEYOND_DOUBLES = ['90071992547409.93', '9007199254740993.01'];

const DAY_MS = 86_400_000;

/** Sooner than the invoices by which lists are told to be in the order of their due dates. */
const FARTHEST_DAYS = 330;

function weekdayAfter(day: Date): string {
  const days = [0, 1, 2].map((more) => new Date(day.getTime() + more * DAY_MS).toISOString().slice(0, 10));
  return days.find(isWeekday) as string;
}

/**
 * Days that careless arithmetic moves: the ends of months and years, a leap day, days of 23 and 25 hours; and one of every month,
 * for who moves those of the summer.
 */
function telltaleDates(): string[] {
  const year = new Date().getUTCFullYear();
  const days = [year, year + 1].flatMap((each) => [
    `${each}-01-01`,
    ...(new Date(Date.UTC(each, 1, 29)).getUTCDate() === 29 ? [`${each}-02-29`] : []),
    `${each}-03-31`,
    ...[2, 9].map((month) => {
      const last = new Date(Date.UTC(each, month, 31));
      return new Date(last.getTime() - last.getUTCDay() * DAY_MS).toISOString().slice(0, 10);
    }),
    `${each}-12-31`,
    ...Array.from({ length: 12 }, (_, month) => weekdayAfter(new Date(Date.UTC(each, month, 13)))),
  ]);
  const inDays = (day: string) => (Date.parse(day) - Date.now()) / DAY_MS;
  return [...new Set(days)].filter((day) => inDays(day) > 1 && inDays(day) < FARTHEST_DAYS);
}

/** Beyond the days that 32 bits count in seconds, and beyond where years of two digits are taken for those of the last century. */
const FAR_DATES = ['2040-12-31', '2085-12-31'];

/** The next leap day and its neighbours. */
function aroundLeapDay(): [before: string, leapDay: string, after: string] {
  const next = new Date().getUTCFullYear() + 1;
  const year = next + ((4 - (next % 4)) % 4);
  return [`${year}-02-28`, `${year}-02-29`, `${year}-03-01`];
}

/** Creations that arrive at the same moment. */
const TOGETHER = 16;

/** How long a free text may be is not shown. */
const SHORT_TEXT = 40;

const requiredOnly = (lab: Lab) => {
  const { sellerId, buyerId, dueDate } = validBody(lab);
  return { sellerId, buyerId, amount: unmarkedSum(lab), dueDate };
};

/** `above` are cents beyond the least that the run's invoices are worth; `small` sums may be too small for an invoice. */
function amountBack(id: CheckId, above: readonly number[], small: readonly string[] = []): Check {
  return check(id, ['connection'], async (lab) => {
    const { leastCents } = termsOf(lab.run);
    for (const cents of above) {
      const amount = asAmount(leastCents + cents);
      await expectKept(lab, await freshInvoice(lab, { amount }), 'amount', amount);
    }
    for (const amount of small) await keptWhereAccepted(lab, { amount }, ['amount']);
  });
}

/** How long a description may be is not shown: throws NotApplicable where plain letters of as many bytes are refused, too. */
async function expectRoomFor(lab: Lab, description: string, answer: Answer): Promise<void> {
  if (answer.status !== 400) return;
  const length = Buffer.byteLength(description);
  const plain = { ...validBody(lab), description: 'x'.repeat(length) };
  if (!(await isCreated(lab, plain))) notApplicable(`a description of ${length} letters is refused as well`);
}

function descriptionBack(id: CheckId, text: string, isKept = isSameText): Check {
  return check(id, ['connection'], async (lab) => {
    await creationWorks(lab);
    const valid = validBody(lab);
    // With the body's own mark: another run of the same seed may have made the same invoice.
    const description = `${text} ${markOf(valid)}`;
    const body = { ...valid, description };
    const answer = await postInvoice(lab, body);
    await expectRoomFor(lab, description, answer);
    await expectCreated(lab, answer, 'a description is free text: a created invoice');
    const { record, answer: seen } = await findOf(lab, body);
    await invoiceOf(lab, body, answer);
    for (const shown of [invoiceIn(answer), record]) {
      const texts = textsOf(shown?.description);
      lab.observe('description-returned', texts.length > 0);
      const because = `it is ${JSON.stringify(shown?.description)}`;
      if (texts.length > 0 && !texts.some((text) => isKept(text, description)))
        throw breach(lab, seen, `description ${JSON.stringify(description)}`, because, [answer]);
    }
  });
}

/** What careless programs take for nothing. */
const BARE_WORDS = ['0', 'null', 'false'];

/** Words that careless filters take for an attack, and signs that careless programs take for places to fill. */
const ORDINARY_WORDS = ['Please select a union flag', 'Drop it off, delete from order', '50 %discount, 5 %s, 100 %i'];

/** The text stays what it is, where descriptions are returned at all. */
async function expectTextKept(lab: Lab, description: string, returned: boolean): Promise<void> {
  const body = { ...validBody(lab), description };
  const answer = await postInvoice(lab, body);
  // How short a text may be is not shown.
  if (answer.status === 400 && BARE_WORDS.includes(description)) return;
  await expectCreated(lab, answer, 'a description is free text: a created invoice');
  const { record, answer: seen } = await lookSettled(lab, await invoiceOf(lab, body, answer));
  const kept = !returned || !record || record.description === description;
  const because = `it is ${JSON.stringify(record?.description)}`;
  expectThat(lab, kept, seen, `description ${JSON.stringify(description)}`, because);
}

/** Those that many deal in, one that rarely anybody thinks of, and some of other numbers of fraction digits. */
const OTHERS = ['EUR', 'USD', 'GBP', 'CHF', 'CNY', 'SEK', 'JPY', 'KRW', 'KWD', 'BHD'];

/** Sums that careless programs read up to their first thousand, or keep in too few bits. */
const LARGE_SUMS = ['328.00', '1234.56', '100000.55', '1000000.01', '10000000.00', '12345678.90'];

export const create: readonly Check[] = [
  acceptedWith('CREATE-13.required-only', async (lab) => requiredOnly(lab)),
  check('CREATE-13.required-only-sums', ['connection'], async (lab) => {
    const accepted = await Promise.all(
      [LEAST_SUM, LITTLE_SUM, LARGE_SUM, HUGE_SUM].map((amount) => neededAlone(lab, amount)),
    );
    if (!accepted.includes(true)) notApplicable('none of these sums is accepted with a description');
  }),
  acceptedWith('CREATE-13.all-declared', async (lab) => ({
    ...validBody(lab),
    currency: await defaultCurrency(lab),
    requestId: lab.requestId(),
  })),
  acceptedWith('CREATE-13.description', async (lab) => ({
    ...requiredOnly(lab),
    description: lab.faker.commerce.productName().slice(0, SHORT_TEXT),
  })),
  acceptedWith('CREATE-13.currency', async (lab) => ({ ...requiredOnly(lab), currency: await defaultCurrency(lab) })),
  acceptedWith('CREATE-13.request-id', async (lab) => ({ ...requiredOnly(lab), requestId: lab.requestId() })),

  check('CREATE-11.carries-invoice', ['connection'], async (lab) => {
    const { answer } = await createdRecord(lab);
    const id = invoiceIn(answer)?.id;
    expectThat(
      lab,
      typeof id === 'string' && id !== '',
      answer,
      'the created invoice with its id',
      'it carries no invoice with an id',
    );
  }),

  check('CREATE-11.invoice-number', ['connection'], async (lab) => {
    expectNumbered(lab, (await createdRecord(lab)).answer);
    // Neither for less nor for more than the usual body.
    for (const body of [requiredOnly(lab), { ...validBody(lab), ...(await optionalFields(lab)) }]) {
      const answer = await postInvoice(lab, body);
      await expectCreated(lab, answer, 'a created invoice');
      await invoiceOf(lab, body as InvoiceBody, answer);
      expectNumbered(lab, answer);
    }
  }),

  check('CREATE-11.same-number', ['connection'], async (lab) => {
    const { invoice, answer } = await createdRecord(lab);
    const told = invoiceIn(answer)?.invoiceNumber;
    if (typeof told !== 'string') notApplicable('the answer carries no invoiceNumber');
    const { record, answer: listed } = await findOf(lab, invoice.body);
    const unmoved = record?.status === invoice.state && String(record.id) === invoice.id;
    if (!record || !unmoved) notApplicable('the invoice has moved on by itself, and may have got its number then');
    const because = `it is ${JSON.stringify(record.invoiceNumber)}`;
    const expected = `invoiceNumber ${JSON.stringify(told)}, as the creation was answered`;
    expectThat(lab, record.invoiceNumber === told, listed, expected, because);
  }),

  check('CREATE-11.amount', ['connection'], async (lab) => {
    const { invoice } = await createdRecord(lab);
    await expectKept(lab, invoice, 'amount', invoice.body.amount);
  }),

  check('CREATE-11.due-date', ['connection'], async (lab) => {
    const { invoice } = await createdRecord(lab);
    await expectKept(lab, invoice, 'dueDate', invoice.body.dueDate);
  }),

  check('CREATE-11.due-dates', ['connection'], async (lab) => {
    const turns = telltaleDates().map((dueDate) => keptWhereAccepted(lab, { dueDate }, ['dueDate']));
    const answers = await Promise.all(turns);
    // What is due last of all would stand before what other checks look for: such a draft must go at once.
    const { invoice } = await createdRecord(lab);
    if (invoice.state === 'DRAFT' && lab.target.operations.delete) {
      for (const dueDate of FAR_DATES) answers.push(await keptWhereAccepted(lab, { dueDate }, ['dueDate'], true));
    }
    if (!answers.some(accepted)) notApplicable('none of the days at the turn of a month or a year is accepted');
    await expectListedAsSent(lab, answers.filter(accepted));
  }),

  check('CREATE-07.leap-day', ['connection', 'delete'], async (lab) => {
    // What is due last of all would stand before what other checks look for: such a draft must go at once.
    if ((await freshInvoice(lab)).state !== 'DRAFT') notApplicable('what is created cannot be deleted');
    const [before, leapDay, after] = aroundLeapDay();
    if (!isWeekday(leapDay))
      notApplicable('the next leap day is no weekday: whether anything may be due then is not shown');
    const keep = (dueDate: string) => keptWhereAccepted(lab, { dueDate }, ['dueDate'], true);
    const [earlier, itself, later] = await Promise.all([keep(before), keep(leapDay), keep(after)]);
    if (!accepted(earlier) || !accepted(later)) notApplicable('nothing may be due around the next leap day');
    expectAccepted(lab, itself, `an invoice due on ${leapDay}, as on ${before} and on ${after}`);
  }),

  check('CREATE-07.every-day', ['connection'], expectEveryDay),

  check('CREATE-11.currency', ['connection'], async (lab) => {
    const currency = await defaultCurrency(lab);
    await expectKept(lab, await freshInvoice(lab, { currency }), 'currency', currency);
    lab.observe('default-currency', currency);
  }),

  check('CREATE-11.other-currency', ['connection'], async (lab) => {
    const other = await otherCurrencyInvoice(lab);
    if (!other) return notApplicable('this server accepts no common currency but its usual one');
    await expectKept(lab, other.invoice, 'currency', other.currency);
    await expectListedWith(lab, other.invoice, 'currency', other.currency);
  }),

  check('CREATE-11.organizations', ['connection'], async (lab) => {
    const { invoice } = await createdRecord(lab);
    await expectKept(lab, invoice, 'sellerOrganizationId', invoice.body.sellerId);
    await expectKept(lab, invoice, 'buyerOrganizationId', invoice.body.buyerId);
  }),

  check('REC-09.clock', ['connection'], async (lab) => {
    const sentAt = Date.now();
    const invoice = await freshInvoice(lab);
    const sights = [await look(lab, invoice.id), await findOf(lab, invoice.body)];
    const shown = sights.filter(({ record }) => record && !Number.isNaN(createdMilliseconds(record)));
    if (shown.length === 0) return notApplicable('the invoice shows no createdAt that could be read');
    // The server's own clock counts as much as this machine's: either may be wrong, but not by a time zone.
    const clocks = [sentAt, Date.parse(headerIn(invoice.created, 'date') ?? '')].filter(
      (clock) => !Number.isNaN(clock),
    );
    for (const { record, answer } of shown) {
      const created = record ? createdMilliseconds(record) : Number.NaN;
      // The day alone is told: what may be the time of another zone is no time at all.
      if (created % DAY_MS === 0) notApplicable(`createdAt ${String(record?.createdAt)} tells the day alone`);
      const offsets = clocks.map((clock) => zoneOffset(created - clock));
      const because = `createdAt ${String(record?.createdAt)} is ${offsets[0]} minutes off the time of the creation`;
      expectThat(lab, offsets.includes(0), answer, `about ${new Date(sentAt).toISOString()}, in UTC`, because);
    }
  }),

  check('CREATE-12.complete', ['connection'], async (lab) => {
    const { answer, record } = await createdRecord(lab);
    const missing = invoiceFields.filter((field) => !Object.hasOwn(record, field));
    expectThat(
      lab,
      missing.length === 0,
      answer,
      'an invoice with all of its fields',
      `it lacks ${missing.join(', ')}`,
    );
    const known = [...invoiceFields, 'description'] as readonly string[];
    lab.observe(
      'invoice-extra-fields',
      Object.keys(record).filter((name) => !known.includes(name)),
    );
    // One alone does not tell what is the same of all.
    const others = await Promise.all(
      [1, 2].map(() => whereReachable(async () => look(lab, (await freshInvoice(lab)).id))),
    );
    const records = [record, ...others.flat().map((other) => other.record ?? record)];
    lab.observe('invoice-id-form', formOf(records.map(({ id }) => String(id))));
    lab.observe('invoice-number-form', formOf(records.map(({ invoiceNumber }) => String(invoiceNumber))));
  }),

  check('CREATE-14.listed', ['connection'], async (lab) => {
    const invoice = await freshInvoice(lab);
    const { held, answer } = await findOf(lab, invoice.body);
    expectThat(
      lab,
      held,
      answer,
      `invoice ${invoice.id} among the newest of the list, as it was sent`,
      'it is not there',
    );
    const { records } = await newest(lab);
    const copies = await ownCopiesOf(lab, records, invoice.body);
    expectThat(
      lab,
      copies.size <= 1,
      answer,
      `invoice ${invoice.id} once in the list`,
      `${copies.size} invoices came of the one request: ${[...copies].join(', ')}`,
    );
  }),

  checkIn('late', 'CREATE-14.no-doubles', ['connection'], expectNoDoubles),

  // Late, when hundreds of others have been made since.
  checkIn('late', 'CREATE-14.readable-later', ['connection', 'read'], async (lab) => {
    const lasting = ['invoice APPROVED', 'invoice DISPUTED'];
    const [oldest] = lab.run.leftovers().find(([, { what }]) => lasting.includes(what)) ?? [];
    if (oldest === undefined) return notApplicable('no invoice of the run is still under way');
    const ask = () => readInvoice(lab, oldest);
    const answer = await pollUntil(lab, ask, isShown);
    if (isShown(answer)) return;
    const { record, answer: shown } = await lookListed(lab, oldest);
    if (!record) return notApplicable(`invoice ${oldest} is not listed any more either`);
    const because = `it is listed, and reading it gets ${answer.status}`;
    throw breach(lab, answer, `invoice ${oldest}, created earlier in the run`, because, [shown]);
  }),

  checkIn('late', 'CREATE-14.readable-in-every-state', ['connection', 'read'], async (lab) => {
    const { invoices } = await oneOfEachState(lab);
    for (const { id, state, created } of invoices) {
      const ask = () => readInvoice(lab, id, { as: lab.who('seller') });
      const answer = await pollUntil(lab, ask, ({ status }) => status !== 404 && status !== 410);
      if (answer.status !== 404 && answer.status !== 410) continue;
      const { record, answer: shown } = await lookListed(lab, id);
      if (!record) continue;
      const because = `it is listed as ${String(record.status)}, and reading it gets ${answer.status}`;
      throw breach(lab, answer, `invoice ${id}, brought to ${state}`, because, [shown, created]);
    }
  }),

  check('CREATE-14.readable', ['connection', 'read'], async (lab) => {
    const invoice = await freshInvoice(lab);
    // What shows one invoice may lag behind what creates it.
    const answer = await pollUntil(lab, () => readInvoice(lab, invoice.id), isShown);
    const record = invoiceIn(answer);
    if (isShown(answer) && record?.id === undefined) {
      notApplicable('the answer to operations.read of the target file holds no invoice record; none is shown for it');
    }
    expectThat(
      lab,
      isShown(answer) && record?.id === invoice.id,
      answer,
      `invoice ${invoice.id}`,
      `answered with ${inWords(answer)}`,
    );
    const { amount, dueDate, buyerId: buyerOrganizationId } = invoice.body;
    for (const [field, sent] of Object.entries({ amount, dueDate, buyerOrganizationId })) {
      const shown = record?.[field];
      // It may be told in another form, or not at all: what reading answers is not shown.
      const other = typeof shown === 'string' && shown.toLowerCase() !== sent.toLowerCase();
      expectThat(lab, !other, answer, `${field} ${sent}, as it was sent`, `it is ${String(shown)}`);
    }
  }),

  amountBack('CREATE-15.trailing-zero', [10, 500]),
  // Those that a binary fraction cannot hold.
  amountBack('CREATE-15.cents', [113, 341], ['4.35', '1.15', '35.41', '64.10']),

  check('CREATE-15.large', ['connection'], async (lab) => {
    await creationWorks(lab);
    for (const amount of BEYOND_DOUBLES) {
      const body = { ...validBody(lab), amount };
      const answer = await postInvoice(lab, body);
      const refused = answer.status === 400 || answer.status === 412;
      if (accepted(answer)) await expectKept(lab, await invoiceOf(lab, body, answer), 'amount', amount);
      else
        expectThat(
          lab,
          refused,
          answer,
          'a refusal with 400 INV002, or the same amount',
          `answered with ${answer.status}`,
        );
    }
  }),

  check('CREATE-15.other-currencies', ['connection'], async (lab) => {
    // Money has two fraction digits here, whatever the currency has elsewhere.
    const answers = await Promise.all(
      OTHERS.map((currency) => keptWhereAccepted(lab, { currency, amount: '12.00' }, ['amount', 'currency'])),
    );
    if (!answers.some(accepted)) notApplicable(`this server accepts none of ${OTHERS.join(', ')}`);
  }),

  descriptionBack('CREATE-16.unicode', 'Grüße, 请付款, שלום, مرحبا, 🧾👩‍💻 e\u0301'),
  descriptionBack('CREATE-16.quotes', `"q" 'a' R&D \\ / {"j": 1} %20;`),
  descriptionBack('CREATE-19.markup', 'a < b, <b>bold</b> and &amp;', isUnchanged),

  check('CREATE-15.thousands', ['connection'], async (lab) => {
    const answers = await Promise.all(LARGE_SUMS.map((amount) => keptWhereAccepted(lab, { amount }, ['amount'], true)));
    if (!answers.some(accepted)) notApplicable(`none of ${LARGE_SUMS.join(', ')} is accepted`);
  }),

  check('CREATE-11.dressed', ['connection'], async (lab) => {
    const { body, headers } = await dressed(lab);
    const answer = await postInvoice(lab, body, { headers });
    await expectCreated(lab, answer, 'a creation with whatever may go with it');
    const invoice = await invoiceOf(lab, body, answer);
    for (const field of ['amount', 'dueDate', 'currency'] as const) {
      const value = body[field];
      if (value !== undefined) await expectKept(lab, invoice, field, value);
    }
  }),

  check('CREATE-16.left-out', ['connection'], async (lab) => {
    const before = await freshInvoice(lab);
    const body = requiredOnly(lab) as InvoiceBody;
    const answer = await postInvoice(lab, body);
    await expectCreated(lab, answer, 'a created invoice');
    const { record, answer: seen } = await lookSettled(lab, await invoiceOf(lab, body, answer));
    for (const description of [invoiceIn(answer)?.description, record?.description]) {
      const because = `it is ${JSON.stringify(description)}`;
      const evidence = [before.created, answer];
      if (bearsOtherMark(description, body))
        throw breach(lab, seen, 'an invoice without the description of another one', because, evidence);
    }
    const { held, answer: listed } = await findOf(lab, body);
    expectThat(lab, held, listed, 'the invoice without a description in the list, too', 'it is not there');
  }),

  check('CREATE-16.words', ['connection'], async (lab) => {
    const usual = await freshInvoice(lab);
    const { record } = await lookSettled(lab, usual);
    const returned = record?.description === usual.body.description;
    await Promise.all([...BARE_WORDS, ...ORDINARY_WORDS].map((text) => expectTextKept(lab, text, returned)));
  }),

  check('CREATE-22.empty', ['connection'], async (lab) => {
    const body = { ...validBody(lab), currency: '' };
    const answer = await postInvoice(lab, body);
    if (!accepted(answer)) return expectRefused(lab, answer, [400]);
    const { record, answer: seen } = await lookSettled(lab, await invoiceOf(lab, body, answer));
    const coded = !record || /^[A-Z]{3}$/.test(String(record.currency));
    expectThat(lab, coded, seen, 'a currency of three upper-case letters', `it is ${JSON.stringify(record?.currency)}`);
  }),

  check('CREATE-09.lower-case', ['connection'], async (lab) => {
    const currency = await defaultCurrency(lab);
    const small = currency.toLowerCase();
    for (const written of [small, `${currency.charAt(0)}${small.slice(1)}`]) {
      const body = { ...validBody(lab), currency: written };
      const answer = await postInvoice(lab, body);
      if (accepted(answer)) await expectKept(lab, await invoiceOf(lab, body, answer), 'currency', currency);
      else expectThat(lab, answer.status === 400, answer, 'a refusal with 400', `answered with ${answer.status}`);
    }
  }),

  check('REC-11.simultaneous', ['connection'], async (lab) => {
    const bodies = Array.from({ length: TOGETHER }, () => validBody(lab));
    const answers = await postInvoicesTogether(lab, bodies);
    const served = bodies.flatMap((body, at) => {
      const answer = answers[at];
      return answer && !isNumberTaken(answer) ? [{ body, answer }] : [];
    });
    const invoices = await Promise.all(served.map(({ body, answer }) => invoiceOf(lab, body, answer)));
    const last = invoices[1]?.created;
    if (!last) return notApplicable('of creations at the same moment only one is served, and the others are put off');
    const ids = new Set(invoices.map(({ id }) => id));
    expectThat(
      lab,
      ids.size === invoices.length,
      last,
      `${invoices.length} different ids for as many creations`,
      `there are ${ids.size}`,
    );
    const numbers = new Set(invoices.map(({ created }) => invoiceIn(created)?.invoiceNumber));
    const unique = numbers.size === invoices.length || numbers.has(undefined);
    expectThat(
      lab,
      unique,
      last,
      `${invoices.length} different invoiceNumbers for as many creations`,
      `there are ${numbers.size}: ${[...numbers].join(', ')}`,
    );
  }),
];
