import fc from 'fast-check';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { enumeratedValues, type InvalidBodyFamily } from './generated-rejections.ts';

const REQUIRED_FIELDS = ['sellerId', 'buyerId', 'amount', 'dueDate'] as const;
const OPTIONAL_FIELDS = ['currency', 'description', 'requestId'] as const;
const DECLARED_FIELDS: ReadonlySet<string> = new Set([...REQUIRED_FIELDS, ...OPTIONAL_FIELDS]);

// Built from their code points by a parameter that can be shrunk; none of them is part of any way to write a number.
const letter = fc.constantFrom(...'xfdLkgmzqQ$€%#');

/** A letter within a text that is valid without it. */
const insertion = fc.record({ letter, at: fc.nat(40) });
function insertLetter(text: string, { letter: foreign, at }: { letter: string; at: number }): string {
  const place = at % (text.length + 1);
  return `${text.slice(0, place)}${foreign}${text.slice(place)}`;
}

const nonString: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
  fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 5 }), { maxKeys: 3 }),
);

/** What other interfaces of this kind declare. */
const commonFieldNames = fc.constantFrom(
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
export const undeclaredFields: InvalidBodyFamily<{ name: string; value: unknown }> = {
  draws: fc.record({
    name: fc
      .oneof(
        fc.string({ minLength: 1, maxLength: 24 }),
        fc.stringMatching(/^[a-z]{1,12}(Id|Number|At|_id)?$/),
        commonFieldNames,
      )
      .filter((name) => !DECLARED_FIELDS.has(name) && name !== '__proto__'),
    value: fc.jsonValue({ maxDepth: 2 }),
  }),
  spoil: (valid, { name, value }) => ({ ...valid, [name]: value }),
};

/** Some of the required fields are missing. */
export const missingFields: InvalidBodyFamily<string[]> = {
  draws: fc.subarray([...REQUIRED_FIELDS], { minLength: 1 }),
  spoil: (valid, missing) => Object.fromEntries(Object.entries(valid).filter(([name]) => !missing.includes(name))),
  code: 'INV002',
  defect: 'amount',
};

/** An amount with something in it that no decimal holds. */
export const malformedAmounts: InvalidBodyFamily<{ letter: string; at: number }> = {
  draws: insertion,
  spoil: (valid, drawn) => ({ ...valid, amount: insertLetter(valid.amount, drawn) }),
  defect: 'amount',
  code: 'INV002',
};

/** A declared field of another JSON type. */
export const wrongTypes: InvalidBodyFamily<{ field: keyof InvoiceBody; value: unknown }> = {
  draws: fc.oneof(
    fc.record({ field: fc.constantFrom(...REQUIRED_FIELDS), value: fc.oneof(nonString, fc.constant(null)) }),
    fc.record({ field: fc.constantFrom(...OPTIONAL_FIELDS), value: nonString }),
  ),
  spoil: (valid, { field, value }) => ({ ...valid, [field]: value }),
  defect: 'amount',
};

/** A sellerId or buyerId with something in it that no UUID holds. */
export const malformedUuids: InvalidBodyFamily<{ field: 'sellerId' | 'buyerId'; letter: string; at: number }> = {
  draws: fc.record({ field: fc.constantFrom('sellerId', 'buyerId'), letter, at: fc.nat(40) }),
  spoil: (valid, { field, ...drawn }) => ({ ...valid, [field]: insertLetter(valid[field], { ...drawn, letter: 'g' }) }),
  defect: 'buyerId',
  // It is nobody's id either, and not the caller's: which of these is asked first is not shown.
  statuses: [400, 403, 404],
};

/** A dueDate with something in it that no date holds. */
export const malformedDates: InvalidBodyFamily<{ letter: string; at: number }> = {
  draws: insertion,
  spoil: (valid, drawn) => ({ ...valid, dueDate: insertLetter(valid.dueDate, drawn) }),
  defect: 'dueDate',
};

/** A currency of any length but three, or with something in it that is no letter. */
export const malformedCurrencies: InvalidBodyFamily<string> = {
  draws: fc.oneof(
    fc.stringMatching(/^[A-Z]{1,2}$/),
    fc.stringMatching(/^[A-Z]{4,9}$/),
    fc.stringMatching(/^[A-Z][0-9$€.-][A-Z]$/),
  ),
  spoil: (valid, currency) => ({ ...valid, currency }),
};

const NEXT_YEAR = new Date().getUTCFullYear() + 1;

/** Days that no calendar has. */
export const impossibleDates: InvalidBodyFamily<string> = {
  ...enumeratedValues([
    ...['00-10', '02-30', '04-31', '05-00', '06-31', '09-31', '11-31', '13-01'].map((day) => `${NEXT_YEAR}-${day}`),
    '2100-02-29',
  ]),
  spoil: (valid, dueDate) => ({ ...valid, dueDate }),
  defect: 'dueDate',
};

/** Days that the calendar has, written in another form. */
export const alternativeDateFormats: InvalidBodyFamily<string> = {
  ...enumeratedValues([
    `${NEXT_YEAR}-01-5`,
    `${NEXT_YEAR}-1-05`,
    `${NEXT_YEAR}-1-5`,
    `${NEXT_YEAR}-01-05Z`,
    `${NEXT_YEAR}-01-05+02:00`,
    `${NEXT_YEAR}-01-05 10:00`,
    `${NEXT_YEAR}-005`,
    `05.01.${NEXT_YEAR}`,
    `05-01-${NEXT_YEAR}`,
    `${NEXT_YEAR % 100}-01-05`,
    `0${NEXT_YEAR}-01-05`,
    `${NEXT_YEAR}-Jan-05`,
    `${NEXT_YEAR}\u201001\u201005`,
  ]),
  spoil: (valid, dueDate) => ({ ...valid, dueDate }),
  defect: 'dueDate',
};

/** Amounts as people, programs and bookkeepers write them. */
export const alternativeAmountFormats: InvalidBodyFamily<string> = {
  ...enumeratedValues([
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
export const everyWrongType: InvalidBodyFamily<{ field: string; value: unknown }> = {
  ...enumeratedValues(
    [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS].flatMap((field) =>
      [{}, [], true, false, 0].map((value) => ({ field, value })),
    ),
  ),
  spoil: (valid, { field, value }) => ({ ...valid, [field]: value }),
  defect: 'amount',
};

/** Names of fields that filters, mappers and log formats treat in a way of their own. */
export const unusualFieldNames: InvalidBodyFamily<string> = {
  ...enumeratedValues([
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
