import type { CheckId } from '../../../specs/generated/ids.ts';
import type { Fault } from '../fault.ts';
import {
  A_DAY,
  isArray,
  isNull,
  isNumber,
  isObject,
  type Leniency,
  lenientFault,
  theBuyer,
  theSeller,
} from '../support/lenient-field.ts';

function typed(
  name: string,
  field: string,
  isDefect: Leniency['isDefect'],
  taken: Leniency['taken'],
  description: string,
): Leniency {
  return { check: `CREATE-05.${name}` as CheckId, field, description, isDefect, taken };
}

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

export const lenientTypeFaults: readonly Fault[] = types.map(lenientFault);
