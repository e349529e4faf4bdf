/** Whole cents as an amount is sent, with two fraction digits. */
export function asAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}
