/** The contract's `min(2^attempt x 1000, 30000)` milliseconds plus 0 to 10 percent. */
export function backoffMs(attempt: number): number {
  const delay = Math.min(2 ** attempt * 1000, 30_000);
  return delay * (1 + Math.random() * 0.1);
}
