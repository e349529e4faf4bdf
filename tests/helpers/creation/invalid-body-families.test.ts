import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InvalidBodyFamily } from '../../../helpers/creation/generated-rejections.ts';
import * as families from '../../../helpers/creation/invalid-body-families.ts';
import type { InvoiceBody } from '../../../helpers/data/invoice-body.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const valid: InvoiceBody = {
  sellerId: '7d4f9a52-8a6f-4c4e-9d3e-0123456789ab',
  buyerId: '1c2d3e4f-0a1b-4c4e-9d3e-ba9876543210',
  amount: '12.34',
  dueDate: '2027-01-31',
  description: 'Chair',
};

/** A thousand bodies of a family. */
function bodies<T>({ draws, addDefect }: InvalidBodyFamily<T>): Record<string, unknown>[] {
  return fc
    .sample(draws, { seed: 7, numRuns: 1000 })
    .map((drawn) => addDefect(valid, drawn) as Record<string, unknown>);
}

/** The members that differ from the valid body. */
function changed(body: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(valid), ...Object.keys(body)]);
  return [...names].filter((name) => body[name] !== (valid as unknown as Record<string, unknown>)[name]);
}

const fields = (all: Record<string, unknown>[]) => [...new Set(all.flatMap(changed))].sort();

describe('every body of a family is wrong in exactly one way', () => {
  test('undeclared fields', () => {
    const declared = ['sellerId', 'buyerId', 'amount', 'dueDate', 'currency', 'description', 'requestId'];
    const all = bodies(families.undeclaredFields);
    for (const body of all) {
      expect(body).toMatchObject(valid);
      expect(Object.keys(body).filter((name) => !declared.includes(name))).toHaveLength(1);
    }
    expect(new Set(all.map((body) => Object.keys(body).at(-1))).size).toBeGreaterThan(500);
    // Realistic names, and any other text.
    expect(all.some((body) => /^[a-z]+(Id|At|Number)$/.test(Object.keys(body).at(-1) ?? ''))).toBe(true);
    expect(all.some((body) => /[^a-zA-Z0-9_]/.test(Object.keys(body).at(-1) ?? ''))).toBe(true);
  });

  test('missing fields', () => {
    const all = bodies(families.missingFields);
    for (const body of all) {
      expect(Object.keys(body).length).toBeLessThan(5);
      expect(valid).toMatchObject(body);
      expect(body).toHaveProperty('description');
    }
    expect(new Set(all.map((body) => Object.keys(body).join())).size).toBe(15);
  });

  test('amounts with a foreign character', () => {
    const all = bodies(families.malformedAmounts);
    for (const body of all) {
      expect(changed(body)).toEqual(['amount']);
      expect(Number(body.amount)).toBeNaN();
      expect(String(body.amount)).toHaveLength(6);
      expect(String(body.amount).replace(/[^\d.]/, '')).toBe('12.34');
    }
    // Before, inside and after the number.
    expect(new Set(all.map((body) => String(body.amount).search(/[^\d.]/)))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });

  test('fields of another type', () => {
    const all = bodies(families.wrongTypes);
    for (const body of all) {
      const [name = ''] = changed(body);
      expect(changed(body)).toHaveLength(1);
      expect(typeof body[name]).not.toBe('string');
      // The contract does not say whether an optional field may be null.
      if (['currency', 'description', 'requestId'].includes(name)) expect(body[name]).not.toBeNull();
    }
    expect(fields(all)).toEqual(['amount', 'buyerId', 'currency', 'description', 'dueDate', 'requestId', 'sellerId']);
    const kinds = all.map((body) => body[changed(body)[0] ?? '']);
    expect(new Set(kinds.map((each) => (Array.isArray(each) ? 'list' : each === null ? 'null' : typeof each)))).toEqual(
      new Set(['number', 'boolean', 'list', 'object', 'null']),
    );
    expect(kinds.some((each) => typeof each === 'number' && !Number.isInteger(each))).toBe(true);
    expect(kinds.some((each) => typeof each === 'number' && !Number.isFinite(each))).toBe(false);
  });

  test('ids that are not UUIDs', () => {
    const all = bodies(families.malformedUuids);
    for (const body of all) {
      const [name = ''] = changed(body);
      expect(changed(body)).toHaveLength(1);
      expect(body[name]).not.toMatch(UUID);
      expect(String(body[name]).replace('g', '')).toMatch(UUID);
    }
    expect(fields(all)).toEqual(['buyerId', 'sellerId']);
  });

  test('invalid dates', () => {
    const all = bodies(families.malformedDates);
    for (const body of all) {
      expect(changed(body)).toEqual(['dueDate']);
      expect(body.dueDate).not.toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(String(body.dueDate).replace(/[^\d-]/, '')).toBe('2027-01-31');
    }
  });

  test('invalid currencies', () => {
    const all = bodies(families.malformedCurrencies);
    for (const body of all) {
      expect(changed(body)).toEqual(['currency']);
      expect(body.currency).toMatch(/^[A-Z]{1,2}$|^[A-Z]{4,9}$|^[A-Z][0-9$€.-][A-Z]$/);
      expect(body.currency).not.toMatch(/^[A-Za-z]{3}$/);
    }
    expect(new Set(all.map((body) => String(body.currency).length))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
  });
});

test('a family names the wrong field and the expected code, if there is one', () => {
  expect(families.missingFields).toMatchObject({ defect: 'amount', code: 'INV002' });
  expect(families.malformedAmounts).toMatchObject({ defect: 'amount', code: 'INV002' });
  expect(families.wrongTypes).toMatchObject({ defect: 'amount' });
  expect(families.malformedUuids).toMatchObject({ defect: 'buyerId' });
  expect(families.malformedDates).toMatchObject({ defect: 'dueDate' });
});
