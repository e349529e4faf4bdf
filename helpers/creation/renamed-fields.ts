import type { InvoiceBody } from '../data/invoice-body.ts';
import { enumeratedValues, type InvalidBodyFamily } from './generated-rejections.ts';

/** Names in place of the required fields: in another case or convention, or as records and similar APIs call them. */
const REQUIRED_FIELD_ALIASES: Readonly<Partial<Record<keyof InvoiceBody, readonly string[]>>> = {
  sellerId: ['seller_id', 'sellerOrganizationId'],
  buyerId: ['buyer_id', 'customerId'],
  amount: ['Amount', 'total'],
  dueDate: ['due_date', 'due-date'],
};

/** A server may recognise the convention of a body only by its fields together. */
const SNAKE_CASE = { sellerId: 'seller_id', buyerId: 'buyer_id', dueDate: 'due_date' };

type NewNames = Readonly<Partial<Record<string, string>>>;

/** Required fields under other names, each with a valid value. */
export const renamedRequiredFields: InvalidBodyFamily<NewNames> = {
  ...enumeratedValues<NewNames>([
    ...Object.entries(REQUIRED_FIELD_ALIASES).flatMap(([field, names]) => names.map((name) => ({ [field]: name }))),
    SNAKE_CASE,
  ]),
  addDefect: (valid, names) =>
    Object.fromEntries(Object.entries(valid).map(([name, value]) => [names[name] ?? name, value])),
};

type OptionalField = 'currency' | 'description' | 'requestId';

const OPTIONAL_FIELD_ALIASES: readonly (readonly [OptionalField, string])[] = [
  ['currency', 'currencyCode'],
  ['description', 'memo'],
  ['requestId', 'RequestId'],
  ['requestId', 'request_id'],
];

/** An optional field under another name and not under its own. `values` are for a body without the field. */
export function renamedOptionalFields(
  values: Pick<InvoiceBody, 'currency' | 'requestId'>,
): InvalidBodyFamily<readonly [OptionalField, string]> {
  // A server need not show the currency that it uses for a body without one.
  const known = OPTIONAL_FIELD_ALIASES.filter(([field]) => field === 'description' || values[field] !== undefined);
  return {
    ...enumeratedValues(known),
    addDefect: (valid, [field, name]) => {
      const { [field]: value, ...others } = { ...values, ...valid };
      const kept = Object.entries(others).filter(([other]) => Object.hasOwn(valid, other));
      return { ...Object.fromEntries(kept), [name]: value };
    },
  };
}
