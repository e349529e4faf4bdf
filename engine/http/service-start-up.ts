import { isFailure, type WireResult } from '../transport/transport.ts';
import type { WireFailure } from '../transport/transport-failure.ts';

/** Statuses of a starting server, or of the gateway in front of it. */
const STARTING_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const STARTING_FAILURES: ReadonlySet<WireFailure['kind']> = new Set(['refused', 'dns', 'closed', 'timeout']);

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

/** Whether the result may come from a server that is still starting. */
export function isStarting(result: WireResult): boolean {
  return isFailure(result) ? STARTING_FAILURES.has(result.kind) : STARTING_STATUSES.has(result.status);
}

/** Probes with increasing pauses until the server has started or `withinMs` have passed. */
export async function waitForStart(
  look: () => Promise<WireResult>,
  withinMs: number,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  const end = performance.now() + withinMs;
  for (let pauseMs = MIN_PAUSE_MS; isStarting(await look()); pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const leftMs = end - performance.now();
    if (leftMs <= 0) return;
    await sleep(Math.min(pauseMs, leftMs));
  }
}
