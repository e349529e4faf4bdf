/** Tells the benchmark where this process listens, and ends with the benchmark. */
export function reportReady(ready: { baseUrl: string; target?: unknown }): void {
  process.send?.(ready);
  process.once('disconnect', () => process.exit(0));
}
