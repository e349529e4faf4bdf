import { setTimeout as pause } from 'node:timers/promises';

const PROBE_INTERVAL_MS = 250;
/** A single probe may get lost, so an outage is declared after this number at the earliest. */
const MIN_PROBES = 4;

/**
 * Distinguishes an outage of the target from the failure of a single request: after a failed exchange, one shared probe
 * finds out whether the target responds at all.
 */
export class AvailabilityProbe {
  private readonly probe: () => Promise<boolean>;
  private readonly outageTimeoutMs: number;
  private pending: Promise<boolean> | undefined;
  /** Set permanently after the target has not responded for the outage timeout. */
  unavailableSince: Date | null = null;

  constructor(probe: () => Promise<boolean>, patienceMs: number) {
    this.probe = probe;
    this.outageTimeoutMs = patienceMs;
  }

  /** Whether the target responds within the outage timeout. */
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

  /** Sends the missing probes at once if slow failures used up the time. Without a timeout there is only one probe. */
  private async sendFinalProbes(count: number): Promise<boolean> {
    if (this.outageTimeoutMs === 0 || count <= 0) return false;
    const answered = await Promise.all(Array.from({ length: count }, () => this.probe()));
    return answered.includes(true);
  }
}
