/** Sends the base URL of this process to the benchmark. The process ends with the benchmark. */
export function reportReady(ready: { baseUrl: string; target?: unknown }): void {
  process.send?.(ready);
  process.once('disconnect', () => process.exit(0));
}
