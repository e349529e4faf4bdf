import { setTimeout as pause } from 'node:timers/promises';

const PROBE_INTERVAL_MS = 250;
/** One look may get lost on its way like any other request: patience ends with no fewer. */
const MIN_PROBES = 4;

/**
 * Tells a target that went away from one that refuses a single request: after a failed exchange it is asked, by one
 * probe for everybody, whether it answers anything at all.
 */
export class AvailabilityProbe {
  private readonly probe: () => Promise<boolean>;
  private readonly outageTimeoutMs: number;
  private pending: Promise<boolean> | undefined;
  /** Set for good once the target has been silent for longer than the patience. */
  unavailableSince: Date | null = null;

  constructor(probe: () => Promise<boolean>, patienceMs: number) {
    this.probe = probe;
    this.outageTimeoutMs = patienceMs;
  }

  /** Whether the target answers (again) within the patience. */
  async isAvailable(): Promise<boolean> {
    if (this.unavailableSince) return false;
    this.pending ??= this.probeUntilTimeout().finally(() => {
      this.pending = undefined;
    });
    return await this.pending;
  }

  private async probeUntilTimeout(): Promise<boolean> {
    const since = new Date();
    const end = performance.now() + this.outageTimeoutMs;
    for (let looks = 1; ; looks += 1) {
      if (await this.probe()) return true;
      if (performance.now() >= end) {
        if (await this.sendFinalProbes(MIN_PROBES - looks)) return true;
        break;
      }
      await pause(PROBE_INTERVAL_MS);
    }
    this.unavailableSince = since;
    return false;
  }

  /** Those that a slow failure has left no time for, at once. Who has no patience at all has had the one that there is. */
  private async sendFinalProbes(count: number): Promise<boolean> {
    if (this.outageTimeoutMs === 0 || count <= 0) return false;
    const answered = await Promise.all(Array.from({ length: count }, () => this.probe()));
    return answered.includes(true);
  }
}
