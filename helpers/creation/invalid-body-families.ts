import fc from 'fast-check';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { enumeratedValues, type InvalidBodyFamily } from './generated-rejections.ts';

const REQUIRED_FIELDS = ['sellerId', 'buyerId', 'amount', 'dueDate'] as const;
const OPTIONAL_FIELDS = ['currency', 'description', 'requestId'] as const;
const DECLARED_FIELDS: ReadonlySet<string> = new Set([...REQUIRED_FIELDS, ...OPTIONAL_FIELDS]);

// Built from code points so that they can be shrunk. None of them occurs in any notation of a number.
const letter = fc.constantFrom(...'xfdLkgmzqQ$€%#');

/** A letter to insert into a valid text, and the position. */
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

/** Field names that comparable APIs declare. */
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

/** A field with any name and value that the contract does not declare. */
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
  addDefect: (valid, { name, value }) => ({ ...valid, [name]: value }),
};

/** One or more required fields are missing. */
export const missingFields: InvalidBodyFamily<string[]> = {
  draws: fc.subarray([...REQUIRED_FIELDS], { minLength: 1 }),
  addDefect: (valid, missing) => Object.fromEntries(Object.entries(valid).filter(([name]) => !missing.includes(name))),
  code: 'INV002',
  defect: 'amount',
};

/** An amount with a character that no decimal contains. */
export const malformedAmounts: InvalidBodyFamily<{ letter: string; at: number }> = {
  draws: insertion,
  addDefect: (valid, drawn) => ({ ...valid, amount: insertLetter(valid.amount, drawn) }),
  defect: 'amount',
  code: 'INV002',
};

/** A declared field with a value of another JSON type. */
export const wrongTypes: InvalidBodyFamily<{ field: keyof InvoiceBody; value: unknown }> = {
  draws: fc.oneof(
    fc.record({ field: fc.constantFrom(...REQUIRED_FIELDS), value: fc.oneof(nonString, fc.constant(null)) }),
    fc.record({ field: fc.constantFrom(...OPTIONAL_FIELDS), value: nonString }),
  ),
  addDefect: (valid, { field, value }) => ({ ...valid, [field]: value }),
  defect: 'amount',
};

/** A sellerId or buyerId with a character that no UUID contains. */
export const malformedUuids: InvalidBodyFamily<{ field: 'sellerId' | 'buyerId'; letter: string; at: number }> = {
  draws: fc.record({ field: fc.constantFrom('sellerId', 'buyerId'), letter, at: fc.nat(40) }),
  addDefect: (valid, { field, ...drawn }) => ({
    ...valid,
    [field]: insertLetter(valid[field], { ...drawn, letter: 'g' }),
  }),
  defect: 'buyerId',
  // The id also belongs to no organization, and the contract leaves open which problem is checked first.
  statuses: [400, 403, 404],
};

/** A dueDate with a character that no date contains. */
export const malformedDates: InvalidBodyFamily<{ letter: string; at: number }> = {
  draws: insertion,
  addDefect: (valid, drawn) => ({ ...valid, dueDate: insertLetter(valid.dueDate, drawn) }),
  defect: 'dueDate',
};

/** A currency whose length is not three, or with a character that is not a letter. */
export const malformedCurrencies: InvalidBodyFamily<string> = {
  draws: fc.oneof(
    fc.stringMatching(/^[A-Z]{1,2}$/),
    fc.stringMatching(/^[A-Z]{4,9}$/),
    fc.stringMatching(/^[A-Z][0-9$€.-][A-Z]$/),
  ),
  addDefect: (valid, currency) => ({ ...valid, currency }),
};

const NEXT_YEAR = new Date().getUTCFullYear() + 1;

/** Dates that do not exist in the calendar. */
export const impossibleDates: InvalidBodyFamily<string> = {
  ...enumeratedValues([
    ...['00-10', '02-30', '04-31', '05-00', '06-31', '09-31', '11-31', '13-01'].map((day) => `${NEXT_YEAR}-${day}`),
    '2100-02-29',
  ]),
  addDefect: (valid, dueDate) => ({ ...valid, dueDate }),
  defect: 'dueDate',
};

/** Existing dates in a format other than YYYY-MM-DD. */
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
  addDefect: (valid, dueDate) => ({ ...valid, dueDate }),
  defect: 'dueDate',
};

/** Amounts in other common notations. */
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
  addDefect: (valid, amount) => ({ ...valid, amount }),
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
  addDefect: (valid, { field, value }) => ({ ...valid, [field]: value }),
  defect: 'amount',
};

/** Field names that filters, mappers and log formats treat specially. */
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
  addDefect: (valid, name) => ({ [name]: 'undeclared', ...valid }),
};
