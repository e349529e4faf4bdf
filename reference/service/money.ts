/** Initial sandbox funds of every organization per currency, in cents: large, but smaller than the largest invoice. */
export const STARTING_FUNDS = 100_000_000_000n;

/** A decimal with two fraction digits as whole cents; a float would lose some. */
export function toCents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** Whole cents in the format of the contract: a string with two fraction digits. */
export function fromCents(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The contract does not show a default currency; this is the one of the reference service, and of its treasury. */
export const DEFAULT_CURRENCY = 'EUR';
