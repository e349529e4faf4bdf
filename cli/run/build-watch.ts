import { setTimeout as pause } from 'node:timers/promises';
import { targetTransport } from '../../engine/http/target-transport.ts';
import type { WireRequest } from '../../engine/transport/transport.ts';
import type { Target } from '../../specs/target-file/target.ts';
import { BuildObserver } from './build-observer.ts';

const POLL_INTERVAL_MS = 1000;
/** Sent without credentials. */
const PATH = '/api/v1/invoices?page=0&limit=1';

export interface BuildWait {
  readonly signal: AbortSignal;
  /** Whether the target has stopped responding. */
  readonly wasDown: boolean;
  /** Called once if the target stops responding during the wait. */
  readonly onDown: () => void;
}

/**
 * Waits until another build of the target answers. Returns the sign of the build as a clause about the server; null if the signal ends
 * it.
 */
export async function waitForBuild(target: Target, { signal, wasDown, onDown }: BuildWait): Promise<string | null> {
  const transport = targetTransport(target, signal);
  const observer = new BuildObserver(wasDown);
  const wire: WireRequest = {
    method: 'GET',
    url: `${target.baseUrl.replace(/\/+$/, '')}${PATH}`,
    headers: [['accept', 'application/json'], ...Object.entries(target.headers)],
    body: null,
  };
  try {
    while (!signal.aborted) {
      const openedBefore = transport.openCount;
      const result = await transport.exchange(wire);
      const { isDown } = observer;
      const sign = observer.see({ result, reopened: transport.openCount > openedBefore });
      if (sign !== null) return sign;
      if (observer.isDown && !isDown && !signal.aborted) onDown();
      await pause(pollIntervalMs(target), undefined, { signal }).catch(() => undefined);
    }
    return null;
  } finally {
    await transport.close();
  }
}

/** The requests use at most a tenth of a limit per minute. */
function pollIntervalMs({ limits: { requestsPerMinute } }: Target): number {
  return requestsPerMinute === 'none' ? POLL_INTERVAL_MS : Math.max(POLL_INTERVAL_MS, 600_000 / requestsPerMinute);
}
