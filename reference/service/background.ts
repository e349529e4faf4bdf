import { setMaxListeners } from 'node:events';
/** Work that goes on after an answer was sent: deliveries and effects that land later. It ends with the service. */
export interface BackgroundTasks {
  /** Aborted when the service closes. */
  readonly signal: AbortSignal;
  /** Lets `work` go on; its failure is its own affair. */
  run(work: () => Promise<void>): void;
  /** Does `work` after some milliseconds, unless the service closes before. */
  schedule(milliseconds: number, work: () => void): void;
  /** Resolves when nothing is under way. */
  waitUntilIdle(): Promise<void>;
  /** Nothing shows any more of what is under way: what waits is dropped, and a delivery ends, at the latest once it is connected. */
  close(): void;
}

export function createBackgroundTasks(): BackgroundTasks {
  const stop = new AbortController();
  // Every delivery under way listens for the end.
  setMaxListeners(0, stop.signal);
  const working = new Set<Promise<void>>();

  const run = (work: () => Promise<void>): void => {
    if (stop.signal.aborted) return;
    const task: Promise<void> = work()
      .catch(() => undefined)
      .finally(() => working.delete(task));
    working.add(task);
  };

  const idle = async (): Promise<void> => {
    while (working.size > 0) await Promise.all(working);
  };

  return {
    signal: stop.signal,
    run,
    schedule(milliseconds, work) {
      run(async () => {
        await pause(milliseconds, stop.signal);
        work();
      });
    },
    waitUntilIdle: idle,
    close() {
      stop.abort();
    },
  };
}

/** Waits; rejects as soon as the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
