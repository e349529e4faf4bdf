import { postInvoice } from '../helpers/api/operations.ts';
import { accepted } from '../helpers/api/response-status.ts';
import { type InvoiceRecord, invoiceIn } from '../helpers/api/responses.ts';
import { breach, expectRefused } from '../helpers/assert/expect.ts';
import { type Check, check } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { creationWorks } from '../helpers/controls/controls.ts';
import { expectCreationRefused } from '../helpers/creation/rejected-creation.ts';
import type { InvoiceBody } from '../helpers/data/invoice-body.ts';
import { validBody } from '../helpers/data/invoice-body.ts';
import { look, lookUntil } from '../helpers/invoices/find-invoice.ts';
import { freshInvoice, invoiceOf } from '../helpers/invoices/invoices.ts';
import type { CheckId } from '../specs/generated/ids.ts';

type Field = keyof InvoiceBody;

/** Where one defect of each kind is tried with whatever else may go with a creation, too. */
const TRIED_WHOLE: readonly CheckId[] = [
  'CREATE-01.unknown',
  'CREATE-01.status',
  'CREATE-03.text',
  'CREATE-03.number',
  'CREATE-05.description-number',
  'CREATE-06.seller-id-text',
  'CREATE-06.buyer-id-text',
  'CREATE-07.text',
  'CREATE-07.february-30',
];

function undeclared(id: CheckId, fields: Record<string, unknown>): Check {
  return check(id, ['connection'], (lab) =>
    expectCreationRefused(lab, {
      spoil: (valid) => ({ ...valid, ...fields }),
      statuses: [400],
      ...(TRIED_WHOLE.includes(id) && { whole: true }),
    }),
  );
}

function without(id: CheckId, field: Field): Check {
  return check(id, ['connection'], (lab) =>
    expectCreationRefused(lab, {
      spoil: ({ [field]: _, ...rest }) => rest,
      defect: field,
      statuses: [400],
      code: 'INV002',
      whole: true,
    }),
  );
}

/** The declared field holds an invalid value; `code` where the contract gives one. */
function invalid(
  id: CheckId,
  field: Field,
  value: unknown | ((valid: InvoiceBody) => unknown),
  code?: string,
  statuses: readonly number[] = [400],
): Check {
  return check(id, ['connection'], (lab) =>
    expectCreationRefused(lab, {
      spoil: (valid) => ({
        ...valid,
        [field]: typeof value === 'function' ? (value as (v: InvoiceBody) => unknown)(valid) : value,
      }),
      defect: field,
      statuses,
      ...(code !== undefined && { code }),
      ...(TRIED_WHOLE.includes(id) && { whole: true }),
    }),
  );
}

/** What is no UUID is nobody's id either (404 CONN003), nor the caller's (403): which of these is asked first is not shown. */
function invalidParty(
  id: CheckId,
  field: 'sellerId' | 'buyerId',
  value: unknown | ((valid: InvoiceBody) => unknown),
): Check {
  return invalid(id, field, value, undefined, field === 'sellerId' ? [400, 403, 404] : [400, 404]);
}

function invalidAmount(id: CheckId, value: unknown | ((valid: InvoiceBody) => unknown)): Check {
  return invalid(id, 'amount', value, 'INV002');
}

/** The declared field holds one invalid value after the other. */
function invalidEach(
  id: CheckId,
  field: Field,
  values: (valid: InvoiceBody) => readonly unknown[],
  code?: string,
): Check {
  return check(id, ['connection'], async (lab) => {
    for (const [at] of values(validBody(lab)).entries()) {
      const spoil = (valid: InvoiceBody) => ({ ...valid, [field]: values(valid)[at] });
      await expectCreationRefused(lab, { spoil, defect: field, statuses: [400], ...(code !== undefined && { code }) });
    }
  });
}

/** The body as a whole is wrong; the valid one, as JSON text, is there to be spoiled. */
function invalidText(id: CheckId, spoil: (text: string) => string): Check {
  return check(id, ['connection'], (lab) =>
    expectCreationRefused(lab, { spoil: (valid) => spoil(JSON.stringify(valid)), statuses: [400] }),
  );
}

function nextYear(dueDate: string): number {
  return Number(dueDate.slice(0, 4)) + 1;
}

/** A coming year, near the valid date that it takes the place of. */
function yearWithout29February(dueDate: string): number {
  const next = Number(dueDate.slice(0, 4)) + 1;
  return next % 4 === 0 ? next + 1 : next;
}

/** What other interfaces of this kind declare, and a next version of this one might. */
const LIKELY: readonly [string, unknown][] = [
  ['lineItems', [{ description: 'conformance', amount: '1.00' }]],
  ['items', []],
  ['invoicenumber', 'INV-CONFORMANCE-1'],
  ['number', 'INV-CONFORMANCE-1'],
  ['connectionId', '00000000-0000-4000-8000-000000000001'],
  ['environment', 'SANDBOX'],
  ['metadata', { source: 'conformance' }],
  ['notes', 'conformance'],
  ['reference', 'conformance'],
  ['taxAmount', '0.00'],
  ['paymentTerms', 30],
  ['draft', true],
  ['status', 'DRAFT'],
  ['amount ', '1.00'],
];

/** A number that the platform has given out, and one of that form that it may give out some day. */
async function ownNumbers(lab: Lab): Promise<string[]> {
  const { id, created } = await freshInvoice(lab);
  const given = invoiceIn(created)?.invoiceNumber ?? (await look(lab, id)).record?.invoiceNumber;
  if (typeof given !== 'string') return [];
  const later = given.replace(/\d+(?=\D*$)/, (digits) => `9${digits.slice(1)}`);
  return [...new Set([given, later])];
}

const undeclaredFields = [
  check('CREATE-01.invoice-number', ['connection'], async (lab) => {
    const numbers = ['INV-CONFORMANCE-1', '', null, 7, { value: 'INV-CONFORMANCE-1' }, ...(await ownNumbers(lab))];
    for (const invoiceNumber of numbers) {
      await expectCreationRefused(lab, { spoil: (valid) => ({ ...valid, invoiceNumber }), statuses: [400] });
    }
    // In front of everything else, and beside all that may be there.
    const spoil = (valid: InvoiceBody) => ({ invoiceNumber: 'INV-CONFORMANCE-1', ...valid });
    await expectCreationRefused(lab, { spoil, statuses: [400], whole: true });
  }),
  undeclared('CREATE-01.unknown', { conformanceProbe: 'undeclared' }),
  undeclared('CREATE-01.status', { status: 'APPROVED' }),
  undeclared('CREATE-01.id', { id: '00000000-0000-4000-8000-000000000001' }),
  undeclared('CREATE-01.created-at', { createdAt: '2020-01-01T00:00:00Z' }),
  undeclared('CREATE-01.null-value', { conformanceProbe: null }),
  check('CREATE-01.empty-values', ['connection'], async (lab) => {
    const tried = [false, 0, '', [], {}].map((conformanceProbe) =>
      expectCreationRefused(lab, { spoil: (valid) => ({ ...valid, conformanceProbe }), statuses: [400] }),
    );
    await Promise.all(tried);
  }),
  check('CREATE-01.likely', ['connection'], async (lab) => {
    const additions = [...LIKELY.map((each) => Object.fromEntries([each])), Object.fromEntries(LIKELY)];
    await Promise.all(
      additions.map((more) =>
        expectCreationRefused(lab, { spoil: (valid) => ({ ...valid, ...more }), statuses: [400] }),
      ),
    );
  }),
  undeclared('CREATE-01.snake-case', { request_id: 'conformance' }),
  undeclared('CREATE-01.constructor', { constructor: 'undeclared' }),
  check('CREATE-01.record-name', ['connection'], async (lab) => {
    // Each with what the record is going to say.
    const tried = [
      (valid: InvoiceBody) => ({ ...valid, buyerOrganizationId: valid.buyerId }),
      (valid: InvoiceBody) => ({ ...valid, sellerOrganizationId: valid.sellerId }),
    ].map((spoil) => expectCreationRefused(lab, { spoil, statuses: [400] }));
    await Promise.all(tried);
  }),
  check('CREATE-01.other-case', ['connection'], (lab) =>
    expectCreationRefused(lab, { spoil: (valid) => ({ ...valid, Amount: valid.amount }), statuses: [400] }),
  ),
  // Written as text: an object literal would set the prototype instead of a member.
  invalidText('CREATE-01.proto', (text) => text.replace('{', '{"__proto__":{"amount":"1.00"},')),
];

const missingFields = [
  without('CREATE-02.seller-id', 'sellerId'),
  without('CREATE-02.buyer-id', 'buyerId'),
  without('CREATE-02.amount', 'amount'),
  without('CREATE-02.due-date', 'dueDate'),
  check('CREATE-02.all', ['connection'], async (lab) => {
    await creationWorks(lab);
    expectRefused(lab, await postInvoice(lab, {}), [400], 'INV002');
  }),
];

const amounts = [
  invalidAmount('CREATE-03.number', ({ amount }: InvoiceBody) => Number(amount)),
  invalidAmount('CREATE-03.integer', 25),
  invalidAmount('CREATE-03.null', null),
  invalidAmount('CREATE-03.boolean', true),
  invalidAmount('CREATE-03.array', ({ amount }: InvoiceBody) => [amount]),
  invalidAmount('CREATE-03.object', ({ amount }: InvoiceBody) => ({ value: amount })),
  invalidAmount('CREATE-03.empty', ''),
  invalidAmount('CREATE-03.blank', ' '),
  invalidAmount('CREATE-03.text', 'twelve'),
  invalidAmount('CREATE-03.trailing-text', ({ amount }: InvoiceBody) => `${amount}abc`),
  invalidAmount('CREATE-03.comma', '12,50'),
  invalidAmount('CREATE-03.thousands', '1,250.00'),
  invalidAmount('CREATE-03.two-points', '1.250.00'),
  invalidAmount('CREATE-03.nan', 'NaN'),
  invalidAmount('CREATE-03.infinity', 'Infinity'),
  invalidAmount('CREATE-03.hexadecimal', '0x1F'),
  // The last one's whole part is not below zero.
  invalidEach('CREATE-04.negative', 'amount', ({ amount }) => [`-${amount}`, '-0.50', '-0.01'], 'INV002'),
  invalidAmount('CREATE-04.blanks', ({ amount }: InvoiceBody) => ` ${amount} `),
  invalidAmount('CREATE-04.newline', ({ amount }: InvoiceBody) => `${amount}\n`),
  invalidAmount('CREATE-04.exponent', '1e2'),
  invalidAmount('CREATE-04.plus', ({ amount }: InvoiceBody) => `+${amount}`),
  invalidEach('CREATE-04.other-digits', 'amount', () => ['\u0662\u0665.\u0660\u0660', '\uff12\uff15.00'], 'INV002'),

  check('CREATE-04.three-digits', ['connection'], async (lab) => {
    await creationWorks(lab);
    for (const more of ['5', '0001']) {
      const valid = validBody(lab);
      const body = { ...valid, amount: `${valid.amount}${more}` };
      const answer = await postInvoice(lab, body);
      if (!accepted(answer)) {
        expectRefused(lab, answer, [400], 'INV002');
        continue;
      }
      const invoice = await invoiceOf(lab, body, answer);
      const isKept = (found: InvoiceRecord | null) => Number(found?.amount) === Number(body.amount);
      const { record, held: kept, answer: seen } = await lookUntil(lab, invoice.id, isKept);
      const because = `accepted and kept as ${JSON.stringify(record?.amount)}`;
      if (!kept) throw breach(lab, seen, `a refusal with 400 INV002, or the amount ${body.amount}`, because, [answer]);
    }
  }),
];

const types = [
  invalid('CREATE-05.seller-id-number', 'sellerId', 12345),
  invalid('CREATE-05.seller-id-null', 'sellerId', null),
  invalid('CREATE-05.seller-id-array', 'sellerId', ({ sellerId }: InvoiceBody) => [sellerId]),
  invalid('CREATE-05.buyer-id-number', 'buyerId', 12345),
  invalid('CREATE-05.buyer-id-null', 'buyerId', null),
  invalid('CREATE-05.buyer-id-array', 'buyerId', ({ buyerId }: InvoiceBody) => [buyerId]),
  invalid('CREATE-05.due-date-number', 'dueDate', 20_991_231),
  invalid('CREATE-05.due-date-null', 'dueDate', null),
  invalid('CREATE-05.due-date-array', 'dueDate', ({ dueDate }: InvoiceBody) => [dueDate]),
  invalid('CREATE-05.currency-number', 'currency', 978),
  invalid('CREATE-05.currency-array', 'currency', ['EUR']),
  invalid('CREATE-05.description-number', 'description', 42),
  invalid('CREATE-05.description-object', 'description', { text: 'conformance' }),
  invalid('CREATE-05.request-id-number', 'requestId', 42),
  invalid('CREATE-05.request-id-object', 'requestId', { value: 'conformance' }),
];

const forms = [
  invalid('CREATE-20.seller-id', 'sellerId', 'not-a-uuid'),
  invalid('CREATE-20.buyer-id', 'buyerId', 'not-a-uuid'),
  invalidParty('CREATE-06.seller-id-text', 'sellerId', 'not-a-uuid'),
  invalidParty('CREATE-06.seller-id-short', 'sellerId', ({ sellerId }: InvoiceBody) => sellerId.slice(0, -1)),
  invalidParty('CREATE-06.seller-id-empty', 'sellerId', ''),
  invalidParty('CREATE-06.seller-id-long', 'sellerId', ({ sellerId }: InvoiceBody) => `${sellerId}0`),
  invalidParty('CREATE-06.buyer-id-text', 'buyerId', 'not-a-uuid'),
  invalidParty('CREATE-06.buyer-id-short', 'buyerId', ({ buyerId }: InvoiceBody) => buyerId.slice(0, -1)),
  invalidParty('CREATE-06.buyer-id-long', 'buyerId', ({ buyerId }: InvoiceBody) => `${buyerId}0`),
  invalidParty('CREATE-06.buyer-id-empty', 'buyerId', ''),
  invalid('CREATE-07.text', 'dueDate', 'tomorrow'),
  invalid('CREATE-07.empty', 'dueDate', ''),
  invalid('CREATE-07.slashes', 'dueDate', ({ dueDate }: InvoiceBody) => dueDate.split('-').reverse().join('/')),
  invalidEach('CREATE-07.compact', 'dueDate', ({ dueDate }) => [
    dueDate.replaceAll('-', ''),
    dueDate.slice(0, 7),
    `${nextYear(dueDate)}-W20-1`,
  ]),
  invalid('CREATE-07.timestamp', 'dueDate', ({ dueDate }: InvoiceBody) => `${dueDate}T00:00:00Z`),
  invalid('CREATE-07.one-digit', 'dueDate', ({ dueDate }: InvoiceBody) => `${Number(dueDate.slice(0, 4)) + 1}-1-15`),
  invalid('CREATE-07.year-slashes', 'dueDate', ({ dueDate }: InvoiceBody) => dueDate.replaceAll('-', '/')),
  invalid('CREATE-07.february-29', 'dueDate', ({ dueDate }: InvoiceBody) => `${yearWithout29February(dueDate)}-02-29`),
  invalid('CREATE-21.due-date-newline', 'dueDate', ({ dueDate }: InvoiceBody) => `${dueDate}\n`),
  invalid('CREATE-07.month-13', 'dueDate', ({ dueDate }: InvoiceBody) => `${dueDate.slice(0, 4)}-13-15`),
  invalidEach('CREATE-07.day-32', 'dueDate', ({ dueDate }) => [
    `${nextYear(dueDate)}-01-32`,
    `${nextYear(dueDate)}-01-00`,
    `${nextYear(dueDate)}-04-31`,
  ]),
  invalid('CREATE-07.february-30', 'dueDate', ({ dueDate }: InvoiceBody) => `${nextYear(dueDate)}-02-30`),
  invalid('CREATE-08.four-letters', 'currency', 'EURO'),
  invalid('CREATE-21.currency-newline', 'currency', 'EUR\n'),
  invalidEach('CREATE-08.digits', 'currency', () => ['978', 'E1R', 'EU1']),
  invalidEach('CREATE-08.symbol', 'currency', () => ['€', '€€€', 'E$R']),
  invalid('CREATE-08.two-letters', 'currency', 'EU'),
];

const bodies = [
  invalidText('CREATE-10.malformed', () => '{"sellerId": oops'),
  invalidText('CREATE-10.truncated', (text) => text.slice(0, -1)),
  invalidText('CREATE-10.trailing', (text) => `${text} and more`),
  check('CREATE-10.lenient', ['connection'], async (lab) => {
    // JSON for people, with what only its extensions allow.
    const spoilt = [
      (text: string) => text.replace(/\}$/, ',}'),
      (text: string) => text.replace('{', '{ // conformance\n'),
      (text: string) => text.replace('{"', "{'").replace('":', "':"),
      (text: string) => text.replace('"sellerId"', 'sellerId'),
      (text: string) => text.replaceAll('"', "'"),
    ];
    for (const each of spoilt) {
      const spoil = (valid: InvoiceBody) => each(JSON.stringify(valid));
      await expectCreationRefused(lab, { spoil, statuses: [400] });
    }
  }),
  invalidText('CREATE-10.array', (text) => `[${text}]`),
  invalidText('CREATE-10.string', () => '"conformance"'),
  invalidText('CREATE-10.null', () => 'null'),
  check('CREATE-10.empty', ['connection'], async (lab) => {
    await creationWorks(lab);
    const answer = await postInvoice(lab, '');
    expectRefused(lab, answer, [400]);
  }),
];

export const createRefusals: readonly Check[] = [
  ...undeclaredFields,
  ...missingFields,
  ...amounts,
  ...types,
  ...forms,
  ...bodies,
];
