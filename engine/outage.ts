import { setTimeout as pause } from 'node:timers/promises';

const PROBE_EVERY_MS = 250;

/**
 * Tells a target that went away from one that refuses a single request: after a failed exchange it is asked, by one
 * probe for everybody, whether it answers anything at all.
 */
export class Outage {
  private readonly probe: () => Promise<boolean>;
  private readonly patienceMs: number;
  private asking: Promise<boolean> | undefined;
  /** Set for good once the target has been silent for longer than the patience. */
  silentSince: Date | null = null;

  constructor(probe: () => Promise<boolean>, patienceMs: number) {
    this.probe = probe;
    this.patienceMs = patienceMs;
  }

  /** Whether the target answers (again) within the patience. */
  async answers(): Promise<boolean> {
    if (this.silentSince) return false;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return await this.asking;
  }

  private async ask(): Promise<boolean> {
    const since = new Date();
    const end = performance.now() + this.patienceMs;
    for (;;) {
      if (await this.probe()) return true;
      if (performance.now() >= end) break;
      await pause(PROBE_EVERY_MS);
    }
    this.silentSince = since;
    return false;
  }
}
