import type { CheckId } from '../../../specs/generated/ids.ts';
import type { Fault } from '../fault.ts';
import {
  asBuyerId,
  asSellerId,
  isArray,
  isNull,
  isNumber,
  isObject,
  type LenientField,
  lenientFault,
  VALID_DUE_DATE,
} from '../support/lenient-field.ts';

function typed(
  name: string,
  field: string,
  isDefect: LenientField['isDefect'],
  taken: LenientField['readAs'],
  description: string,
): LenientField {
  return { check: `CREATE-05.${name}` as CheckId, field, description, isDefect, readAs: taken };
}

const types: readonly LenientField[] = [
  typed(
    'due-date-number',
    'dueDate',
    isNumber,
    () => VALID_DUE_DATE,
    'A numeric dueDate is accepted as a compact date.',
  ),
  typed('due-date-null', 'dueDate', isNull, () => VALID_DUE_DATE, 'A null dueDate defaults to net 30 days.'),
  typed('due-date-array', 'dueDate', isArray, (value) => String(value), 'An array of one date is stringified.'),
  typed(
    'currency-number',
    'currency',
    isNumber,
    () => 'EUR',
    'A numeric ISO 4217 code is translated into its letters.',
  ),
  typed(
    'currency-array',
    'currency',
    isArray,
    (value) => String(value),
    'Of a list of currencies, the first one is used.',
  ),
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
  typed('seller-id-number', 'sellerId', isNumber, asSellerId, 'A numeric sellerId is looked up among legacy ids.'),
  typed('seller-id-null', 'sellerId', isNull, asSellerId, 'A null sellerId defaults to the caller.'),
  typed('seller-id-array', 'sellerId', isArray, (value) => String(value), 'A sellerId in an array is stringified.'),
  typed('buyer-id-number', 'buyerId', isNumber, asBuyerId, 'A numeric buyerId is looked up among legacy ids.'),
  typed('buyer-id-null', 'buyerId', isNull, asBuyerId, 'A null buyerId defaults to the only buyer.'),
  typed('buyer-id-array', 'buyerId', isArray, (value) => String(value), 'A buyerId in an array is stringified.'),
];

export const creationLenientTypesFaults: readonly Fault[] = types.map(lenientFault);
