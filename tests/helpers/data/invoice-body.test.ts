import { describe, expect, test } from 'vitest';
import { hasOtherMark, runMark } from '../../../helpers/context/invoice-history.ts';
import { requiredFieldsOnly, validBody } from '../../../helpers/data/invoice-body.ts';
import { labOf } from '../support/contexts.ts';

const DAY_MS = 86_400_000;

describe('a valid body', () => {
  test('contains only what every server must accept', () => {
    const body = validBody(labOf());
    expect(Object.keys(body).sort()).toEqual(['amount', 'buyerId', 'description', 'dueDate', 'sellerId']);
    expect(body).toMatchObject({ sellerId: 'org-seller', buyerId: 'org-buyer' });
  });

  test.each([0, 1, 42, 999_999, 123_456_789])('is well-formed with the seed %i, for any number of bodies', (seed) => {
    const ctx = labOf({ seed });
    for (let at = 0; at < 2000; at += 1) {
      const { amount, dueDate, description } = validBody(ctx);
      expect(amount).toMatch(/^[1-7]\d\.\d\d$/);
      expect(dueDate).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      const days = (Date.parse(dueDate) - Date.now()) / DAY_MS;
      expect(days).toBeGreaterThan(18);
      expect(days).toBeLessThanOrEqual(30);
      expect(new Date(dueDate).getUTCDay() % 6).not.toBe(0);
      expect(description).toContain(runMark(ctx));
    }
  });

  test('differs from every other of the run by amount and due date', () => {
    const ctx = labOf();
    const bodies = Array.from({ length: 5000 }, () => validBody(ctx));
    expect(new Set(bodies.map(({ amount, dueDate }) => `${amount} ${dueDate}`)).size).toBe(bodies.length);
    expect(new Set(bodies.map(({ description }) => description)).size).toBe(bodies.length);
  });

  test('is the same for the same seed and check', () => {
    const [one, other] = [labOf(), labOf()].map(validBody);
    expect(one).toEqual(other);
    expect(validBody(labOf({ seed: 43 }))).not.toEqual(one);
  });

  test('cannot be created without both organizations', () => {
    expect(() => validBody(labOf({ organizations: { seller: 'org-seller' } }))).toThrow(
      'the organization of buyer is not known',
    );
  });
});

describe('a concurrent run, even with the same seed,', () => {
  const other = { runId: 'fedcba987654' };

  test('creates other invoices', () => {
    const [own, foreign] = [labOf(), labOf(other)].map((ctx) => {
      const bodies = Array.from({ length: 400 }, () => validBody(ctx));
      return bodies.map(({ amount, dueDate }) => `${amount} ${dueDate}`);
    });
    const both = own?.filter((each, at) => foreign?.[at] === each);
    expect(both).toEqual([]);
  });

  test('creates no invoice without a description that looks like one of the own bodies', () => {
    for (const seed of [0, 42, 999_999]) {
      const [ctx, another] = [labOf({ seed }), labOf({ ...other, seed: seed + 1 })];
      const own = new Set(Array.from({ length: 2000 }, () => validBody(ctx).amount));
      const without = Array.from({ length: 2000 }, () => requiredFieldsOnly(another));
      expect(without.filter(({ amount }) => own.has(amount))).toEqual([]);
      expect(
        without.filter(({ amount, description }) => description !== undefined || !/^[1-7]\d\.\d\d$/.test(amount)),
      ).toEqual([]);
    }
  });

  test('is recognised by its mark if a server shows descriptions', () => {
    const [own, foreign] = [validBody(labOf()), validBody(labOf(other))];
    expect(hasOtherMark(foreign.description, own)).toBe(true);
    // From the tenth body on, the numbers have several digits.
    expect(hasOtherMark(`Chair (${runMark(labOf({ runId: 'ffffffffffff' }))} 117)`, own)).toBe(true);
    for (const shown of [own.description, `${own.description}!`, 'Chair', undefined, null, 7])
      expect(hasOtherMark(shown, own)).toBe(false);
  });
});

test('another run is recognised by its mark, with or without a number', () => {
  for (const mark of ['(conformance 0123abcd 7)', '(conformance 0123abcd)']) {
    const body = { description: `Chair ${mark}` };
    expect(hasOtherMark(`Chair ${mark}`, body)).toBe(false);
    expect(hasOtherMark('Chair', body)).toBe(false);
    expect(hasOtherMark('Chair (conformance fedcba98 7)', body)).toBe(true);
    expect(hasOtherMark('Chair (conformance fedcba98)', body)).toBe(true);
  }
});
