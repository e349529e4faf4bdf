/** Whole cents as an amount is sent, with two fraction digits. */
export function asAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** An amount in whole cents. */
export function centsOf(amount: unknown): number {
  return Math.round(Number(amount) * 100);
}
