import type { RequestActivity } from './request-activity.ts';

/** How long a check without a pending request keeps its permit, in milliseconds. */
const MAX_IDLE_MS = 50;

interface WaitingCheck {
  place: number;
  start: () => void;
}

/**
 * Limits how many checks send requests. The others wait, and the one with the lowest place is next. A check that only waits, for example
 * for a delayed effect or for the lock of another check, gives its permit to the next one, and continues without a permit.
 */
export class CheckPermits {
  private available: number;
  private readonly queue: WaitingCheck[] = [];
  /** When each check got its permit, by `performance.now()`. */
  private readonly holders = new Map<RequestActivity, number>();
  private timer: NodeJS.Timeout | undefined;
  private admission: NodeJS.Immediate | undefined;

  constructor(count: number) {
    this.available = count;
  }

  /** `place`: where the check stands in the order of the run. */
  async withPermit<T>(activity: RequestActivity, place: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.queue.push({ place, start });
      this.scheduleAdmission();
    });
    this.holders.set(activity, performance.now());
    try {
      return await work();
    } finally {
      this.release(activity);
    }
  }

  /** Checks that begin to wait at the same moment, such as those of a phase, are all in the queue before the first one starts. */
  private scheduleAdmission(): void {
    this.admission ??= setImmediate(() => {
      this.admission = undefined;
      this.admit();
    });
  }

  private admit(): void {
    this.queue.sort((one, other) => one.place - other.place);
    for (const { start } of this.queue.splice(0, this.available)) {
      this.available -= 1;
      start();
    }
    if (this.queue.length > 0) this.timer ??= setInterval(() => this.releaseIdle(), MAX_IDLE_MS);
    else this.stopTimer();
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private releaseIdle(): void {
    const latest = performance.now() - MAX_IDLE_MS;
    for (const [each, since] of this.holders) if (since <= latest && each.idleMs >= MAX_IDLE_MS) this.release(each);
  }

  private release(activity: RequestActivity): void {
    if (!this.holders.delete(activity)) return;
    this.available += 1;
    this.scheduleAdmission();
  }
}
