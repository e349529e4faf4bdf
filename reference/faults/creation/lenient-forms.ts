import type { CheckId } from '../../../specs/generated/ids.ts';
import type { Fault } from '../fault.ts';
import {
  A_DAY,
  isObject,
  type Leniency,
  lenientFault,
  matches,
  NEXT_YEAR,
  theBuyer,
  theSeller,
} from '../support/lenient-field.ts';

function form(
  check: string,
  field: string,
  isDefect: Leniency['isDefect'],
  taken: Leniency['taken'],
  description: string,
): Leniency {
  return { check: `CREATE-${check}` as CheckId, field, description, isDefect, taken };
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

export const lenientFormFaults: readonly Fault[] = forms.map(lenientFault);
