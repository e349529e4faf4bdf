import fc from 'fast-check';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { eachOf, type Family } from './generated-rejections.ts';

const REQUIRED = ['sellerId', 'buyerId', 'amount', 'dueDate'] as const;
const OPTIONAL = ['currency', 'description', 'requestId'] as const;
const DECLARED: ReadonlySet<string> = new Set([...REQUIRED, ...OPTIONAL]);

// Built from their code points by a parameter that can be shrunk; none of them is part of any way to write a number.
const letter = fc.constantFrom(...'xfdLkgmzqQ$€%#');

/** A letter within a text that is valid without it. */
const inserted = fc.record({ letter, at: fc.nat(40) });
function insert(text: string, { letter: foreign, at }: { letter: string; at: number }): string {
  const place = at % (text.length + 1);
  return `${text.slice(0, place)}${foreign}${text.slice(place)}`;
}

const notAString: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
  fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 5 }), { maxKeys: 3 }),
);

/** What other interfaces of this kind declare. */
const likely = fc.constantFrom(
  'metadata',
  'lineItems',
  'tax',
  'connectionId',
  'notes',
  'reference',
  'x-source',
  '$ref',
  'Description',
  ' ',
);

/** A field that the contract does not declare, of any name and value. */
export const undeclaredFields: Family<{ name: string; value: unknown }> = {
  draws: fc.record({
    name: fc
      .oneof(fc.string({ minLength: 1, maxLength: 24 }), fc.stringMatching(/^[a-z]{1,12}(Id|Number|At|_id)?$/), likely)
      .filter((name) => !DECLARED.has(name) && name !== '__proto__'),
    value: fc.jsonValue({ maxDepth: 2 }),
  }),
  spoil: (valid, { name, value }) => ({ ...valid, [name]: value }),
};

/** Some of the required fields are missing. */
export const missingFields: Family<string[]> = {
  draws: fc.subarray([...REQUIRED], { minLength: 1 }),
  spoil: (valid, missing) => Object.fromEntries(Object.entries(valid).filter(([name]) => !missing.includes(name))),
  code: 'INV002',
  defect: 'amount',
};

/** An amount with something in it that no decimal holds. */
export const foreignAmounts: Family<{ letter: string; at: number }> = {
  draws: inserted,
  spoil: (valid, drawn) => ({ ...valid, amount: insert(valid.amount, drawn) }),
  defect: 'amount',
  code: 'INV002',
};

/** A declared field of another JSON type. */
export const foreignTypes: Family<{ field: keyof InvoiceBody; value: unknown }> = {
  draws: fc.oneof(
    fc.record({ field: fc.constantFrom(...REQUIRED), value: fc.oneof(notAString, fc.constant(null)) }),
    fc.record({ field: fc.constantFrom(...OPTIONAL), value: notAString }),
  ),
  spoil: (valid, { field, value }) => ({ ...valid, [field]: value }),
  defect: 'amount',
};

/** A sellerId or buyerId with something in it that no UUID holds. */
export const foreignUuids: Family<{ field: 'sellerId' | 'buyerId'; letter: string; at: number }> = {
  draws: fc.record({ field: fc.constantFrom('sellerId', 'buyerId'), letter, at: fc.nat(40) }),
  spoil: (valid, { field, ...drawn }) => ({ ...valid, [field]: insert(valid[field], { ...drawn, letter: 'g' }) }),
  defect: 'buyerId',
  // It is nobody's id either, and not the caller's: which of these is asked first is not shown.
  statuses: [400, 403, 404],
};

/** A dueDate with something in it that no date holds. */
export const foreignDates: Family<{ letter: string; at: number }> = {
  draws: inserted,
  spoil: (valid, drawn) => ({ ...valid, dueDate: insert(valid.dueDate, drawn) }),
  defect: 'dueDate',
};

/** A currency of any length but three, or with something in it that is no letter. */
export const foreignCurrencies: Family<string> = {
  draws: fc.oneof(
    fc.stringMatching(/^[A-Z]{1,2}$/),
    fc.stringMatching(/^[A-Z]{4,9}$/),
    fc.stringMatching(/^[A-Z][0-9$€.-][A-Z]$/),
  ),
  spoil: (valid, currency) => ({ ...valid, currency }),
};

const YEAR = new Date().getUTCFullYear() + 1;

/** Days that no calendar has. */
export const impossibleDates: Family<string> = {
  ...eachOf([
    ...['00-10', '02-30', '04-31', '05-00', '06-31', '09-31', '11-31', '13-01'].map((day) => `${YEAR}-${day}`),
    '2100-02-29',
  ]),
  spoil: (valid, dueDate) => ({ ...valid, dueDate }),
  defect: 'dueDate',
};

/** Days that the calendar has, written in another form. */
export const otherDateForms: Family<string> = {
  ...eachOf([
    `${YEAR}-01-5`,
    `${YEAR}-1-05`,
    `${YEAR}-1-5`,
    `${YEAR}-01-05Z`,
    `${YEAR}-01-05+02:00`,
    `${YEAR}-01-05 10:00`,
    `${YEAR}-005`,
    `05.01.${YEAR}`,
    `05-01-${YEAR}`,
    `${YEAR % 100}-01-05`,
    `0${YEAR}-01-05`,
    `${YEAR}-Jan-05`,
    `${YEAR}\u201001\u201005`,
  ]),
  spoil: (valid, dueDate) => ({ ...valid, dueDate }),
  defect: 'dueDate',
};

/** Amounts as people, programs and bookkeepers write them. */
export const otherAmountForms: Family<string> = {
  ...eachOf([
    '12.00 USD',
    '$12.00',
    '€12.00',
    '12.00€',
    'EUR 12.00',
    '12.00.5',
    '1_000.00',
    '1 000.00',
    "1'000.00",
    '(12.00)',
    '12.00-',
    '12.00%',
    '12k',
    '6.00+6.00',
    'null',
  ]),
  spoil: (valid, amount) => ({ ...valid, amount }),
  defect: 'amount',
  code: 'INV002',
};

/** Every declared field with every other JSON type. */
export const everyOtherType: Family<{ field: string; value: unknown }> = {
  ...eachOf([...REQUIRED, ...OPTIONAL].flatMap((field) => [{}, [], true, false, 0].map((value) => ({ field, value })))),
  spoil: (valid, { field, value }) => ({ ...valid, [field]: value }),
  defect: 'amount',
};

/** Names of fields that filters, mappers and log formats treat in a way of their own. */
export const oddNames: Family<string> = {
  ...eachOf([
    '$schema',
    '_id',
    '_links',
    'meta.data',
    'x-note',
    '@type',
    '',
    'währung',
    'x'.repeat(80),
    'idempotencyKey',
    'idempotency_key',
    '0',
  ]),
  spoil: (valid, name) => ({ [name]: 'undeclared', ...valid }),
};
