/** Whole cents in the format of an amount, with two fraction digits. */
export function formatAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** An amount of the contract in whole cents; NaN for another value. */
export function centsOf(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}

/** Amounts below common approval thresholds. */
export const SMALL_AMOUNTS = ['0.50', '1.00', '9.99'] as const;

/** The smallest amount. */
export const MIN_AMOUNT = '0.01';

/** An amount without cents, which a random amount rarely is. */
export const WHOLE_AMOUNT = '40.00';

/** Below common thresholds for review. */
export const LOW_AMOUNT = '4.90';

/** Above common thresholds for a second approval; such a server rejects with its own code. */
export const LARGE_AMOUNT = '150000.00';

/** Above a million, where some servers require a review, and below common limits on the debt between two parties. */
export const HUGE_AMOUNT = '1250000.00';

/** One currency unit, in cents. */
export const ONE_UNIT_CENTS = 100;
