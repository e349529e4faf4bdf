import type { CheckId } from '../../specs/generated/ids.ts';
import { replaced } from '../overrides/override-rules.ts';
import type { Fault } from './fault.ts';

/** Whom a lenient server takes for the seller and the buyer that it cannot read. */
interface Parties {
  sellerId: string;
  buyerId: string;
}

/** An invalid value of one field, and what a lenient server takes it for. */
interface Leniency {
  check: CheckId;
  field: string;
  /** What the team did wrong. */
  sentence: string;
  defect: (value: unknown) => boolean;
  taken: (value: string, parties: Parties) => unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const matches = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value);
const isNumber = (value: unknown) => typeof value === 'number';
const isArray = (value: unknown) => Array.isArray(value);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNull = (value: unknown) => value === null;
const NEXT_YEAR = new Date().getUTCFullYear() + 1;
const A_DAY = `${NEXT_YEAR}-06-15`;

function amount(name: string, defect: Leniency['defect'], taken: Leniency['taken'], sentence: string): Leniency {
  return { check: `CREATE-${name}` as CheckId, field: 'amount', sentence, defect, taken };
}

const amounts: readonly Leniency[] = [
  amount(
    '03.number',
    (value) => isNumber(value) && value !== 25,
    (value) => Number(value).toFixed(2),
    'A JSON number with a fraction is taken for an amount.',
  ),
  amount(
    '03.integer',
    (value) => value === 25,
    () => '25.00',
    'A whole JSON number is taken for an amount: the validator forbids floats only.',
  ),
  amount('03.null', isNull, () => '0.01', 'A null amount is not missing, and becomes the smallest one.'),
  amount(
    '03.boolean',
    (value) => value === true,
    () => '1.00',
    'true is coerced to 1.',
  ),
  amount('03.array', isArray, (value) => String(value), 'An array of one is stringified into its element.'),
  amount('03.object', isObject, () => '1.00', 'An amount object of another version of the interface is let through.'),
  amount('03.empty', matches(/^$/), () => '0.01', 'An empty amount is treated as zero and rounded up.'),
  amount('03.text', matches(/^twelve$/), () => '12.00', 'A word is parsed by a library that knows English.'),
  amount(
    '03.trailing-text',
    matches(/abc$/),
    (value) => value.replace('abc', ''),
    'parseFloat ignores what follows the number.',
  ),
  amount(
    '03.comma',
    matches(/^\d+,\d\d$/),
    (value) => value.replace(',', '.'),
    'A decimal comma is understood, as in the German dashboard.',
  ),
  amount(
    '03.thousands',
    matches(/^\d,\d{3}\.\d\d$/),
    (value) => value.replace(',', ''),
    'Thousands separators are stripped.',
  ),
  amount(
    '03.two-points',
    matches(/^\d\.\d{3}\.\d\d$/),
    (value) => value.replace('.', ''),
    'All points but the last are stripped.',
  ),
  amount('03.nan', matches(/^NaN$/), () => '0.01', 'NaN passes the check, because every comparison with it is false.'),
  amount('03.infinity', matches(/^Infinity$/), () => '9999999999999.99', 'Infinity is a number, and is capped.'),
  amount('03.hexadecimal', matches(/^0x/), (value) => `${Number(value)}.00`, 'Number() understands hexadecimal.'),
  amount('04.newline', matches(/\n$/), (value) => value.trim(), 'A $ in the pattern also matches before a line break.'),
  amount(
    '03.other-forms',
    matches(/ USD$/),
    (value) => value.replace(' USD', ''),
    'What stands behind a blank is taken for the currency.',
  ),
  amount('04.negative', matches(/^-/), (value) => value.slice(1), 'A negative amount is taken for a credit note.'),
  amount('04.blanks', matches(/^ /), (value) => value.trim(), 'Amounts are trimmed before they are validated.'),
  amount(
    '04.other-digits',
    matches(/^\u0662/),
    () => '25.00',
    'The pattern says \\d, which here means the digits of every script.',
  ),
  amount('04.plus', matches(/^\+/), (value) => value.slice(1), 'A sign is taken off before the digits are looked at.'),
  amount('04.exponent', matches(/^1e2$/), () => '100.00', 'Number() understands exponents.'),
  amount(
    '04.three-digits',
    matches(/\.\d{3}$/),
    (value) => Number(value).toFixed(2),
    'A third fraction digit is rounded away in silence.',
  ),
];

function typed(
  name: string,
  field: string,
  defect: Leniency['defect'],
  taken: Leniency['taken'],
  sentence: string,
): Leniency {
  return { check: `CREATE-05.${name}` as CheckId, field, sentence, defect, taken };
}

const theSeller = (_value: unknown, { sellerId }: Parties) => sellerId;
const theBuyer = (_value: unknown, { buyerId }: Parties) => buyerId;

const types: readonly Leniency[] = [
  typed('due-date-number', 'dueDate', isNumber, () => A_DAY, 'A numeric dueDate is taken for a compact date.'),
  typed('due-date-null', 'dueDate', isNull, () => A_DAY, 'A null dueDate means net 30 days.'),
  typed('due-date-array', 'dueDate', isArray, (value) => String(value), 'An array of one date is stringified.'),
  typed('currency-number', 'currency', isNumber, () => 'EUR', 'An ISO 4217 number is translated into its code.'),
  typed('currency-array', 'currency', isArray, (value) => String(value), 'A list of currencies means its first one.'),
  typed(
    'description-number',
    'description',
    isNumber,
    (value) => String(value),
    'A numeric description is stringified.',
  ),
  typed(
    'description-object',
    'description',
    isObject,
    (value) => JSON.stringify(value),
    'A description object is stored as JSON.',
  ),
  typed('request-id-number', 'requestId', isNumber, (value) => String(value), 'A numeric requestId is stringified.'),
  typed(
    'request-id-object',
    'requestId',
    isObject,
    (value) => JSON.stringify(value),
    'A requestId object is serialized.',
  ),
  typed('seller-id-number', 'sellerId', isNumber, theSeller, 'A numeric sellerId is looked up among legacy ids.'),
  typed('seller-id-null', 'sellerId', isNull, theSeller, 'A null sellerId means the caller.'),
  typed('seller-id-array', 'sellerId', isArray, (value) => String(value), 'A sellerId in an array is stringified.'),
  typed('buyer-id-number', 'buyerId', isNumber, theBuyer, 'A numeric buyerId is looked up among legacy ids.'),
  typed('buyer-id-null', 'buyerId', isNull, theBuyer, 'A null buyerId means the only buyer.'),
  typed('buyer-id-array', 'buyerId', isArray, (value) => String(value), 'A buyerId in an array is stringified.'),
];

function form(
  check: string,
  field: string,
  defect: Leniency['defect'],
  taken: Leniency['taken'],
  sentence: string,
): Leniency {
  return { check: `CREATE-${check}` as CheckId, field, sentence, defect, taken };
}

const SHORT_UUID = /^[0-9a-f-]{35}$/;

const forms: readonly Leniency[] = [
  ...(['seller', 'buyer'] as const).flatMap((party) => {
    const self = party === 'seller' ? theSeller : theBuyer;
    return [
      form(
        `06.${party}-id-text`,
        `${party}Id`,
        matches(/^not-a-uuid$/),
        self,
        `A ${party}Id that is no UUID is looked up as a slug.`,
      ),
      form(
        `06.${party}-id-long`,
        `${party}Id`,
        matches(/^.{37}$/),
        (value) => value.slice(0, 36),
        `The pattern of ${party}Id has no end: what follows a UUID is ignored.`,
      ),
      form(
        `06.${party}-id-short`,
        `${party}Id`,
        matches(SHORT_UUID),
        self,
        `A ${party}Id is matched by its first 35 characters.`,
      ),
      form(
        `06.${party}-id-empty`,
        `${party}Id`,
        matches(/^$/),
        self,
        `An empty ${party}Id means the organization used last.`,
      ),
    ];
  }),
  form('07.text', 'dueDate', matches(/^tomorrow$/), () => A_DAY, 'dueDate goes through a parser of natural language.'),
  form('07.empty', 'dueDate', matches(/^$/), () => A_DAY, 'An empty dueDate gets the default term.'),
  form(
    '07.slashes',
    'dueDate',
    matches(/^\d\d\/\d\d\/\d{4}$/),
    (value) => value.split('/').reverse().join('-'),
    'Dates of the local form are understood.',
  ),
  form(
    '07.compact',
    'dueDate',
    matches(/^\d{8}$/),
    (value) => value.replace(/(....)(..)(..)/, '$1-$2-$3'),
    'Compact ISO dates are understood.',
  ),
  form(
    '07.timestamp',
    'dueDate',
    matches(/T/),
    (value) => value.slice(0, 10),
    'The time of day of a timestamp is cut off.',
  ),
  form('07.one-digit', 'dueDate', matches(/^\d{4}-\d-/), () => `${NEXT_YEAR}-01-15`, 'One-digit months are padded.'),
  form(
    '07.year-slashes',
    'dueDate',
    matches(/^\d{4}\//),
    (value) => value.replaceAll('/', '-'),
    'Date.parse accepts slashes.',
  ),
  form(
    '07.february-29',
    'dueDate',
    matches(/-02-29$/),
    (value) => value.replace('02-29', '03-01'),
    '29 February rolls over to 1 March.',
  ),
  form(
    '07.impossible',
    'dueDate',
    matches(/-(06|09|11)-31$/),
    (value) => value.replace('-31', '-30'),
    'The table of the months knows those of 30 days but for three.',
  ),
  form(
    '07.other-forms',
    'dueDate',
    matches(/^\d\d\.\d\d\.\d{4}$/),
    () => A_DAY,
    'Dates are read as the dashboard writes them, too.',
  ),
  form(
    '05.every-type',
    'dueDate',
    (value) => isObject(value) && Object.keys(value as object).length === 0,
    () => A_DAY,
    'An empty object is what a date becomes in the logs of the mapper, and it passes for one.',
  ),
  form(
    '21.due-date-newline',
    'dueDate',
    matches(/\n$/),
    (value) => value.trim(),
    'A $ also matches before a line break.',
  ),
  form(
    '07.month-13',
    'dueDate',
    matches(/-13-/),
    (value) => value.replace('-13-', '-12-'),
    'Month 13 is clamped to December.',
  ),
  form(
    '07.day-32',
    'dueDate',
    matches(/-32$/),
    (value) => value.replace('01-32', '02-01'),
    'Day 32 rolls over into the next month.',
  ),
  form(
    '07.february-30',
    'dueDate',
    matches(/-02-30$/),
    (value) => value.replace('02-30', '03-02'),
    'new Date() rolls 30 February over to March.',
  ),
  form('08.four-letters', 'currency', matches(/^EURO$/), () => 'EUR', 'A currency is cut to three letters.'),
  form(
    '21.currency-newline',
    'currency',
    matches(/\n$/),
    (value) => value.trim(),
    'A currency is trimmed before it is checked.',
  ),
  form('08.digits', 'currency', matches(/^[A-Z]{2}\d$/), () => 'EUR', 'The last letter of a code may be a digit.'),
  form('08.symbol', 'currency', matches(/^€/), () => 'EUR', 'Currency symbols are understood.'),
  form('08.two-letters', 'currency', matches(/^EU$/), () => 'EUR', 'A currency is completed to the nearest code.'),
  form(
    '09.lower-case',
    'currency',
    matches(/^[a-z]{3}$/),
    () => 'XXX',
    'A currency in lower case is unknown to the table, and stored as XXX.',
  ),
];

/** "Field X's defect Y is accepted": one server for each defect that the kit sends. */
function accepting({ check, field, sentence, defect, taken }: Leniency): Fault {
  return {
    id: `create-accepts-${check.replace('CREATE-', '').replace('.', '-')}`,
    requirement: check.split('.')[0] ?? '',
    sentence,
    caughtBy: [check],
    rules: replaced((honest) => ({
      validateCreate: (call) => {
        const { body } = call;
        if (!Object.hasOwn(body, field) || !defect(body[field])) return honest.validateCreate(call);
        const own = call.organizationId;
        const ids = call.world.connections.find(({ organizationIds }) =>
          organizationIds.includes(own),
        )?.organizationIds;
        const parties = { sellerId: own, buyerId: ids?.find((id) => id !== own) ?? own };
        return honest.validateCreate({ ...call, body: { ...body, [field]: taken(body[field] as string, parties) } });
      },
    })),
  };
}

export const lenientFieldFaults: readonly Fault[] = [...amounts, ...types, ...forms].map(accepting);
