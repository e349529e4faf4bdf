import { describe, expect, test } from 'vitest';
import {
  type BookingProblem,
  bookingProblems,
  explainChange,
  includesSum,
  missingAmounts,
} from '../../../../helpers/treasury/concurrency/booked-payments.ts';

const expected = { withdrawals: [433, 435, 439], settlements: [12_010, 9_031], rejected: 1_000_137 };
const seller = { withdrawal: -1, settlement: 1 } as const;
const buyer = { withdrawal: 0, settlement: -1 } as const;

const problemsOf = (change: number, sign: typeof seller | typeof buyer): BookingProblem[] | null => {
  const booked = explainChange(change, expected, sign);
  return booked && bookingProblems(booked);
};

describe('the change of a number shows', () => {
  test.each<[string, number, typeof seller | typeof buyer]>([
    ['all payments', 12_010 + 9_031 - 433 - 435 - 439, seller],
    ['settlements only', 12_010 + 9_031, seller],
    ['withdrawals only', -433 - 435 - 439, seller],
    ['the settlements of the buyer', -12_010 - 9_031, buyer],
  ])('%s, without a problem', (_, change, sign) => {
    expect(problemsOf(change, sign)).toEqual([]);
  });

  test.each<[BookingProblem, number, typeof seller | typeof buyer]>([
    ['withdrawal lost', 12_010 + 9_031 - 433 - 439, seller],
    ['withdrawal lost', -435, seller],
    ['withdrawal repeated', 12_010 + 9_031 - 433 - 435 - 439 - 433, seller],
    ['settlement lost', 9_031 - 433 - 435 - 439, seller],
    ['settlement lost', -12_010, buyer],
    ['settlement repeated', -2 * 12_010 - 9_031, buyer],
    ['settlement repeated', -2 * 12_010 - 2 * 9_031, buyer],
    ['rejected withdrawal paid', 12_010 + 9_031 - 433 - 435 - 439 - 1_000_137, seller],
  ])('%s', (problem, change, sign) => {
    expect(problemsOf(change, sign)).toEqual([problem]);
  });

  test.each<[string, number]>([
    ['a fee of each withdrawal', 12_010 + 9_031 - 433 - 435 - 439 - 3 * 25],
    ['a commission of each settlement', 11_890 + 8_941 - 433 - 435 - 439],
    ['a payment of another client', 12_010 + 9_031 - 433 - 435 - 439 + 7_777],
  ])('nothing with %s', (_, change) => {
    expect(explainChange(change, expected, seller)).toBeNull();
  });
});

describe('missing amounts', () => {
  const booked = (withdrawals: number[], settlements: number[]) => ({ withdrawals, settlements, rejected: 0 });

  test('are those that a number lacks of a kind that it shows', () => {
    expect(missingAmounts(booked([1, 0, 0], [1, 0]), expected, seller)).toEqual([-435, -439, 9_031]);
    expect(missingAmounts(booked([0, 0, 0], [1, 1]), expected, seller)).toEqual([]);
  });

  test('make up a later change', () => {
    expect(includesSum([-435, -439], -435)).toBe(true);
    expect(includesSum([-435, -439], -435 - 439)).toBe(true);
    expect(includesSum([-435, -439], -433)).toBe(false);
    expect(includesSum([-435, -439], 0)).toBe(false);
  });
});
