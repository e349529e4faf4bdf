import type { CheckId } from '../../../specs/generated/ids.ts';
import type { Fault } from '../fault.ts';
import {
  isArray,
  isNull,
  isNumber,
  isObject,
  type LenientField,
  lenientFault,
  matchesPattern,
} from '../support/lenient-field.ts';

function amount(
  name: string,
  isDefect: LenientField['isDefect'],
  taken: LenientField['readAs'],
  description: string,
): LenientField {
  return { check: `CREATE-${name}` as CheckId, field: 'amount', description, isDefect, readAs: taken };
}

const amounts: readonly LenientField[] = [
  amount(
    '03.number',
    (value) => isNumber(value) && value !== 25,
    (value) => Number(value).toFixed(2),
    'A JSON number with a fraction is accepted as an amount.',
  ),
  amount(
    '03.integer',
    (value) => value === 25,
    () => '25.00',
    'An integer JSON number is accepted as an amount: the validator rejects only floats.',
  ),
  amount('03.null', isNull, () => '0.01', 'A null amount does not count as missing and becomes the smallest amount.'),
  amount(
    '03.boolean',
    (value) => value === true,
    () => '1.00',
    'true is coerced to 1.',
  ),
  amount('03.array', isArray, (value) => String(value), 'An array of one is stringified into its element.'),
  amount('03.object', isObject, () => '1.00', 'An amount object of another API version is accepted.'),
  amount('03.empty', matchesPattern(/^$/), () => '0.01', 'An empty amount is treated as zero and rounded up.'),
  amount(
    '03.text',
    matchesPattern(/^twelve$/),
    () => '12.00',
    'A word is parsed by a library that knows English number words.',
  ),
  amount(
    '03.trailing-text',
    matchesPattern(/abc$/),
    (value) => value.replace('abc', ''),
    'parseFloat ignores the text after the number.',
  ),
  amount(
    '03.comma',
    matchesPattern(/^\d+,\d\d$/),
    (value) => value.replace(',', '.'),
    'A decimal comma is accepted, as in the German dashboard.',
  ),
  amount(
    '03.thousands',
    matchesPattern(/^\d,\d{3}\.\d\d$/),
    (value) => value.replace(',', ''),
    'Thousands separators are removed.',
  ),
  amount(
    '03.two-points',
    matchesPattern(/^\d\.\d{3}\.\d\d$/),
    (value) => value.replace('.', ''),
    'All decimal points except the last are removed.',
  ),
  amount(
    '03.nan',
    matchesPattern(/^NaN$/),
    () => '0.01',
    'NaN passes the validation of the range, because every comparison with it is false.',
  ),
  amount(
    '03.infinity',
    matchesPattern(/^Infinity$/),
    () => '9999999999999.99',
    'Infinity is accepted as a number and capped.',
  ),
  amount('03.hexadecimal', matchesPattern(/^0x/), (value) => `${Number(value)}.00`, 'Number() accepts hexadecimal.'),
  amount(
    '04.newline',
    matchesPattern(/\n$/),
    (value) => value.trim(),
    'A $ in the pattern also matches before a line break.',
  ),
  amount(
    '03.other-forms',
    matchesPattern(/ USD$/),
    (value) => value.replace(' USD', ''),
    'The text after a blank is taken for the currency.',
  ),
  amount(
    '04.negative',
    matchesPattern(/^-/),
    (value) => value.slice(1),
    'A negative amount is accepted as a credit note.',
  ),
  amount(
    '04.surrounding-spaces',
    matchesPattern(/^ /),
    (value) => value.trim(),
    'Amounts are trimmed before they are validated.',
  ),
  amount(
    '04.non-ascii-digits',
    matchesPattern(/^\u0662/),
    () => '25.00',
    'The pattern contains \\d, which matches the digits of every script here.',
  ),
  amount(
    '04.plus',
    matchesPattern(/^\+/),
    (value) => value.slice(1),
    'A sign is removed before the digits are checked.',
  ),
  amount('04.exponent', matchesPattern(/^1e2$/), () => '100.00', 'Number() accepts exponents.'),
  amount(
    '04.three-digits',
    matchesPattern(/\.\d{3}$/),
    (value) => Number(value).toFixed(2),
    'A third fraction digit is rounded silently.',
  ),
];

export const creationLenientAmountsFaults: readonly Fault[] = amounts.map(lenientFault);
