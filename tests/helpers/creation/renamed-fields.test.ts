import { expect, test } from 'vitest';
import { renamedOptionalFields, renamedRequiredFields } from '../../../helpers/creation/renamed-fields.ts';
import type { InvoiceBody } from '../../../helpers/data/invoice-body.ts';

const valid: InvoiceBody = {
  sellerId: '7d4f9a52-8a6f-4c4e-9d3e-0123456789ab',
  buyerId: '1c2d3e4f-0a1b-4c4e-9d3e-ba9876543210',
  amount: '12.34',
  dueDate: '2027-01-31',
  description: 'Chair',
};
const names = Object.keys(valid);
const declared = [...names, 'currency', 'requestId'];

test('a renamed required field keeps its value and loses its declared name', () => {
  for (const renamed of renamedRequiredFields.all ?? []) {
    const body = renamedRequiredFields.addDefect(valid, renamed) as Record<string, unknown>;
    expect(Object.values(body)).toEqual(Object.values(valid));
    const lost = names.filter((name) => !Object.hasOwn(body, name));
    expect(lost).toEqual(Object.keys(renamed));
    expect(lost).not.toContain('description');
  }
  const first = renamedRequiredFields.all?.flatMap((each) => Object.keys(each));
  expect(new Set(first)).toEqual(new Set(['sellerId', 'buyerId', 'amount', 'dueDate']));
});

test('a renamed optional field has a valid value, and no other field changes', () => {
  const values = { currency: 'EUR', requestId: 'conf-1' };
  const family = renamedOptionalFields(values);
  for (const [field, name] of family.all ?? []) {
    for (const body of [valid, { ...valid, ...values }]) {
      const { [field]: own, ...others } = body;
      expect(declared).not.toContain(name);
      expect(family.addDefect(body, [field, name])).toEqual({
        ...others,
        [name]: own ?? { ...values, ...valid }[field],
      });
    }
  }
});
