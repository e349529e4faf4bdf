import { setMaxListeners } from 'node:events';
/** Work that continues after a response: deliveries and delayed effects. It ends with the service. */
export interface BackgroundTasks {
  /** Aborted when the service closes. */
  readonly signal: AbortSignal;
  /** Runs `work` in the background and ignores its failure. */
  run(work: () => Promise<void>): void;
  /** Runs `work` after some milliseconds, unless the service closes first. */
  schedule(milliseconds: number, work: () => void): void;
  /** Resolves when no work is in progress. */
  waitUntilIdle(): Promise<void>;
  /** Ends the work in progress: drops delayed work and aborts deliveries, at the latest when they are connected. */
  close(): void;
}

export function createBackgroundTasks(): BackgroundTasks {
  const stop = new AbortController();
  // Every delivery in progress listens for the end.
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

/** Waits. Rejects when the signal is aborted. */
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
