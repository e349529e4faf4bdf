/** Whole cents as an amount is sent, with two fraction digits. */
export function formatAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** An amount in whole cents. */
export function centsOf(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}

/** Where less than this asks for no approval, nobody has been asked. */
export const SMALL_AMOUNTS = ['0.50', '1.00', '9.99'] as const;

/** Whatever is rounded off, nothing is left of it. */
export const MIN_AMOUNT = '0.01';

/** Without cents, which a random sum hardly ever is. */
export const WHOLE_AMOUNT = '40.00';

/** Below what some look at. */
export const LOW_AMOUNT = '4.90';

/** Where as much as this asks for another approval, a server says so by a code of its own. */
export const LARGE_AMOUNT = '150000.00';

/** Beyond a million some look twice; not so much that what one party may owe another is used up. */
export const HUGE_AMOUNT = '1250000.00';
