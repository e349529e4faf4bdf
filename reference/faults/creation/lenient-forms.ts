import type { CheckId } from '../../../specs/generated/ids.ts';
import type { Fault } from '../fault.ts';
import {
  asBuyerId,
  asSellerId,
  isObject,
  type LenientField,
  lenientFault,
  matchesPattern,
  NEXT_YEAR,
  VALID_DUE_DATE,
} from '../support/lenient-field.ts';

function form(
  check: string,
  field: string,
  isDefect: LenientField['isDefect'],
  taken: LenientField['readAs'],
  description: string,
): LenientField {
  return { check: `CREATE-${check}` as CheckId, field, description, isDefect, readAs: taken };
}

const SHORT_UUID = /^[0-9a-f-]{35}$/;

const forms: readonly LenientField[] = [
  ...(['seller', 'buyer'] as const).flatMap((party) => {
    const self = party === 'seller' ? asSellerId : asBuyerId;
    return [
      form(
        `06.${party}-id-text`,
        `${party}Id`,
        matchesPattern(/^not-a-uuid$/),
        self,
        `A ${party}Id that is not a UUID is looked up as a slug.`,
      ),
      form(
        `06.${party}-id-long`,
        `${party}Id`,
        matchesPattern(/^.{37}$/),
        (value) => value.slice(0, 36),
        `The pattern of ${party}Id has no end anchor: text after the UUID is ignored.`,
      ),
      form(
        `06.${party}-id-short`,
        `${party}Id`,
        matchesPattern(SHORT_UUID),
        self,
        `Only the first 35 characters of a ${party}Id are compared.`,
      ),
      form(
        `06.${party}-id-empty`,
        `${party}Id`,
        matchesPattern(/^$/),
        self,
        `An empty ${party}Id defaults to the organization that was used last.`,
      ),
    ];
  }),
  form(
    '07.text',
    'dueDate',
    matchesPattern(/^tomorrow$/),
    () => VALID_DUE_DATE,
    'dueDate goes through a parser of natural language.',
  ),
  form(
    '07.empty',
    'dueDate',
    matchesPattern(/^$/),
    () => VALID_DUE_DATE,
    'An empty dueDate defaults to the standard term.',
  ),
  form(
    '07.slashes',
    'dueDate',
    matchesPattern(/^\d\d\/\d\d\/\d{4}$/),
    (value) => value.split('/').reverse().join('-'),
    'Dates in the local form are accepted.',
  ),
  form(
    '07.compact',
    'dueDate',
    matchesPattern(/^\d{8}$/),
    (value) => value.replace(/(....)(..)(..)/, '$1-$2-$3'),
    'Compact ISO dates are accepted.',
  ),
  form(
    '07.timestamp',
    'dueDate',
    matchesPattern(/T/),
    (value) => value.slice(0, 10),
    'The time of a timestamp is discarded.',
  ),
  form(
    '07.one-digit',
    'dueDate',
    matchesPattern(/^\d{4}-\d-/),
    () => `${NEXT_YEAR}-01-15`,
    'Months with one digit are padded.',
  ),
  form(
    '07.year-slashes',
    'dueDate',
    matchesPattern(/^\d{4}\//),
    (value) => value.replaceAll('/', '-'),
    'Date.parse accepts slashes.',
  ),
  form(
    '07.february-29',
    'dueDate',
    matchesPattern(/-02-29$/),
    (value) => value.replace('02-29', '03-01'),
    '29 February rolls over to 1 March.',
  ),
  form(
    '07.impossible',
    'dueDate',
    matchesPattern(/-(06|09|11)-31$/),
    (value) => value.replace('-31', '-30'),
    'The 31st of June, September or November becomes the 30th.',
  ),
  form(
    '07.other-forms',
    'dueDate',
    matchesPattern(/^\d\d\.\d\d\.\d{4}$/),
    () => VALID_DUE_DATE,
    'Dates in the form of the dashboard are accepted, too.',
  ),
  form(
    '05.every-type',
    'dueDate',
    (value) => isObject(value) && Object.keys(value as object).length === 0,
    () => VALID_DUE_DATE,
    'An empty object, which the mapper produces from a date, is accepted as one.',
  ),
  form(
    '21.due-date-newline',
    'dueDate',
    matchesPattern(/\n$/),
    (value) => value.trim(),
    'The $ of a pattern also matches before a line break.',
  ),
  form(
    '07.month-13',
    'dueDate',
    matchesPattern(/-13-/),
    (value) => value.replace('-13-', '-12-'),
    'Month 13 is clamped to December.',
  ),
  form(
    '07.day-32',
    'dueDate',
    matchesPattern(/-32$/),
    (value) => value.replace('01-32', '02-01'),
    'Day 32 rolls over into the next month.',
  ),
  form(
    '07.february-30',
    'dueDate',
    matchesPattern(/-02-30$/),
    (value) => value.replace('02-30', '03-02'),
    'new Date() rolls 30 February over to March.',
  ),
  form(
    '08.four-letters',
    'currency',
    matchesPattern(/^EURO$/),
    () => 'EUR',
    'A currency is truncated to three letters.',
  ),
  form(
    '21.currency-newline',
    'currency',
    matchesPattern(/\n$/),
    (value) => value.trim(),
    'A currency is trimmed before it is checked.',
  ),
  form(
    '08.digits',
    'currency',
    matchesPattern(/^[A-Z]{2}\d$/),
    () => 'EUR',
    'The last letter of a code may be a digit.',
  ),
  form('08.symbol', 'currency', matchesPattern(/^€/), () => 'EUR', 'Currency symbols are accepted.'),
  form(
    '08.two-letters',
    'currency',
    matchesPattern(/^EU$/),
    () => 'EUR',
    'A currency is replaced by the nearest code.',
  ),
  form(
    '09.lower-case',
    'currency',
    matchesPattern(/^[a-z]{3}$/),
    () => 'XXX',
    'A currency in lower case is not in the table and is stored as XXX.',
  ),
];

export const creationLenientFormsFaults: readonly Fault[] = forms.map(lenientFault);
