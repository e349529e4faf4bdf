/** Payments that may have changed a number of a balance, in cents. */
export interface ExpectedPayments {
  /** Accepted withdrawals with requestIds of their own. The first one was replayed once. */
  withdrawals: readonly number[];
  /** Accepted settlements of different invoices. */
  settlements: readonly number[];
  /** A withdrawal that was rejected for insufficient funds; null if there is none. */
  rejected: number | null;
}

/** How often each payment is part of a change. */
export interface BookedPayments {
  withdrawals: readonly number[];
  settlements: readonly number[];
  rejected: number;
}

/** What is wrong with the payments of one number. */
export type BookingProblem =
  | 'withdrawal lost'
  | 'withdrawal repeated'
  | 'settlement lost'
  | 'settlement repeated'
  | 'rejected withdrawal paid';

/** A payment may be booked once for each request, and a settlement once more by a job. */
const MAX_TIMES_REPLAYED = 2;
const MAX_TIMES_SETTLED = 2;

/** Every way to book the payments, with the correct ones first. */
function* bookings({ withdrawals, settlements, rejected }: ExpectedPayments): Generator<BookedPayments> {
  const once = { withdrawals: withdrawals.map(() => 1), settlements: settlements.map(() => 1), rejected: 0 };
  // A number may show only one kind of payment.
  yield once;
  yield { ...once, settlements: settlements.map(() => 0) };
  yield { ...once, withdrawals: withdrawals.map(() => 0) };
  for (const rejectedTimes of rejected === null ? [0] : [0, 1])
    for (const paid of multiplicities(withdrawals.map((_, at) => (at === 0 ? MAX_TIMES_REPLAYED : 1))))
      for (const settled of multiplicities(settlements.map(() => MAX_TIMES_SETTLED)))
        yield { withdrawals: paid, settlements: settled, rejected: rejectedTimes };
}

/** All lists of whole numbers from 0 up to these bounds. */
function multiplicities(bounds: readonly number[]): number[][] {
  return bounds.reduce<number[][]>(
    (lists, most) => lists.flatMap((list) => Array.from({ length: most + 1 }, (_, times) => [...list, times])),
    [[]],
  );
}

/**
 * The payments that make up the change of a number, in cents; null if none do. Fees, and payments of other clients, leave a change that
 * no combination explains.
 */
export function explainChange(
  change: number,
  expected: ExpectedPayments,
  sign: { withdrawal: -1 | 0; settlement: 1 | -1 },
): BookedPayments | null {
  const total = (cents: readonly number[], times: readonly number[]) =>
    cents.reduce((sum, each, at) => sum + each * (times[at] ?? 0), 0);
  for (const booked of bookings(expected)) {
    if (sign.withdrawal === 0 && (booked.rejected > 0 || booked.withdrawals.some((times) => times > 0))) continue;
    const paid = total(expected.withdrawals, booked.withdrawals) + booked.rejected * (expected.rejected ?? 0);
    const settled = total(expected.settlements, booked.settlements);
    if (sign.withdrawal * paid + sign.settlement * settled === change) return booked;
  }
  return null;
}

/** The problems of payments that a number shows. A number that shows no payment of a kind does not count them. */
export function bookingProblems({ withdrawals, settlements, rejected }: BookedPayments): BookingProblem[] {
  const isPart = (times: readonly number[]) => times.includes(0) && times.some((each) => each > 0);
  const isRepeated = (times: readonly number[]) => times.some((each) => each > 1);
  return [
    ...(isPart(withdrawals) ? (['withdrawal lost'] as const) : []),
    ...(isRepeated(withdrawals) ? (['withdrawal repeated'] as const) : []),
    ...(isPart(settlements) ? (['settlement lost'] as const) : []),
    ...(isRepeated(settlements) ? (['settlement repeated'] as const) : []),
    ...(rejected > 0 ? (['rejected withdrawal paid'] as const) : []),
  ];
}

export const hasWithdrawals = ({ withdrawals }: BookedPayments): boolean => withdrawals.some((times) => times > 0);

export const hasSettlements = ({ settlements }: BookedPayments): boolean => settlements.some((times) => times > 0);

/** The signed amounts, in cents, of payments that a number lacks although it shows others of their kind. */
export function missingAmounts(
  { withdrawals, settlements }: BookedPayments,
  expected: ExpectedPayments,
  sign: { withdrawal: -1 | 0; settlement: 1 | -1 },
): number[] {
  const missing = (times: readonly number[], cents: readonly number[], direction: number) =>
    times.some((each) => each > 0) ? cents.flatMap((each, at) => (times[at] === 0 ? [direction * each] : [])) : [];
  return [
    ...missing(withdrawals, expected.withdrawals, sign.withdrawal),
    ...missing(settlements, expected.settlements, sign.settlement),
  ];
}

/** Whether some of the amounts make up the change of a number, in cents. */
export function includesSum(amounts: readonly number[], change: number): boolean {
  const sums = amounts.reduce((known, each) => known.concat(known.map((sum) => sum + each)), [0]);
  return change !== 0 && sums.includes(change);
}
