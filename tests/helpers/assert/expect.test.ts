import { describe, expect, test } from 'vitest';
import { Breach } from '../../../engine/model/outcomes.ts';
import { newCheckExecution } from '../../../engine/run/check-definition.ts';
import { breach, describeRequest, expectAccepted, expectRejected, expectThat } from '../../../helpers/assert/expect.ts';
import { CheckContext } from '../../../helpers/context/check.ts';
import { answerOf, answerTo, labOf } from '../support/contexts.ts';

/** The breach that an expectation throws; null if it throws none. */
function wrong(expectation: () => void): Breach | null {
  try {
    expectation();
    return null;
  } catch (error) {
    if (error instanceof Breach) return error;
    throw error;
  }
}

test('success is a status of 200 to 299', () => {
  for (const status of [199, 300, 404]) {
    const found = wrong(() => expectAccepted(labOf(), answerOf(status), 'a creation'));
    expect(found?.message).toMatch(new RegExp(`^the server returned ${status} `));
    expect(found?.expected).toBe('a status of 200 to 299 (a creation)');
  }
  expect(wrong(() => expectAccepted(labOf(), answerOf(201), 'a creation'))).toBeNull();
});

describe('a rejection', () => {
  const refused = (status: number, json: unknown, code?: string) =>
    wrong(() => expectRejected(labOf(), answerOf(status, json), [412, 409], code));

  test('has one of the statuses, and the code where there is one', () => {
    expect(refused(412, { code: 'INV004' }, 'INV004')).toBeNull();
    expect(refused(409, undefined)).toBeNull();
    expect(refused(409, { code: 'ANY' })).toBeNull();
  });

  test('is broken by another status, or another code', () => {
    expect(refused(400, { code: 'INV004' }, 'INV004')?.message).toMatch(/^the server returned 400 \(seller/);
    expect(refused(201, {}, 'INV004')?.message).toMatch(/^the server accepted the request with 201 \(seller/);
    expect(refused(412, { code: 'inv004' }, 'INV004')?.message).toMatch(/^the code is "inv004" /);
    expect(refused(412, {}, 'INV004')?.message).toMatch(/^the code is absent /);
  });

  test('says what was expected', () => {
    expect(refused(400, {}, 'INV004')?.expected).toBe('412 or 409 with code INV004');
    expect(refused(400, {})?.expected).toBe('412 or 409');
  });
});

describe('a breach', () => {
  const ask = { ...answerOf(200).request, headers: [['X-Environment', 'SANDBOX']] as const, body: { a: 1 } };

  test('shows who sent which request', () => {
    expect(describeRequest(answerTo(ask, { status: 200 }))).toBe(
      'seller sent GET /somewhere with X-Environment: SANDBOX with body {"a":1}',
    );
    expect(describeRequest(answerOf(200))).toBe('seller sent GET /somewhere');
  });

  test('names the requirement, the actual result and all exchanges, the deciding one first', () => {
    const found = breach(labOf(), answerOf(200, { a: 1 }), 'a 401', 'it is 200', [
      answerTo(ask, { status: 200 }, 'x7'),
    ]);
    expect(found.message).toBe('it is 200 (seller sent GET /somewhere)');
    expect(found.expected).toBe('a 401');
    expect(found.actual).toBe('200 {"a":1}');
    expect(found.exchanges).toEqual(['x1', 'x7']);
  });

  test('is only for checks', () => {
    const ctx = new CheckContext(labOf().run, newCheckExecution(null));
    expect(() => breach(ctx, answerOf(200), '', '')).toThrow('nothing is judged outside a check');
  });

  test('follows from a false condition', () => {
    expect(wrong(() => expectThat(labOf(), true, answerOf(200), 'a', 'b'))).toBeNull();
    expect(wrong(() => expectThat(labOf(), false, answerOf(200), 'a', 'b'))?.message).toMatch(/^b \(seller/);
  });
});

test('a message shortens a long header and a long query', () => {
  const { request } = answerOf(400);
  const long = 'x'.repeat(9000);
  const text = describeRequest(
    answerTo({ ...request, path: `/a?b=${long}`, headers: [['X-Long', long]] }, { status: 400 }),
  );
  expect(text.length).toBeLessThan(1000);
  expect(text).toContain('X-Long: xxx');
  expect(text).toContain('(9000 characters)');
});
