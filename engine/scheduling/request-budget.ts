import type { RequestLimit } from '../../specs/verdicts.ts';
import { Blocked } from '../model/outcomes.ts';

/** `creating`: may create a leftover. `disputing`: may make one harder to remove. `cleaning up`: removes leftovers. */
export type RequestPurpose = 'ordinary' | 'creating' | 'disputing' | 'cleaning up';

/** Requests that clean-up needs after a request. A disputed invoice is resolved, read and cancelled, with one spare request for each step. */
const RESERVED_REQUESTS: Readonly<Record<RequestPurpose, number>> = {
  ordinary: 0,
  creating: 1,
  disputing: 5,
  'cleaning up': 0,
};

const REQUESTS_AFTER_RESOLUTION = 2;

interface RequestBudgetOptions {
  /** What sets the limit; the target file by default. */
  readonly limitedBy?: RequestLimit | undefined;
  /** Requests that were sent before. */
  readonly spent?: number | undefined;
  /** Records that were created so far and must still be removed. */
  readonly made?: number | undefined;
}

/**
 * The number of requests that the run may send. Requests that create or dispute an invoice reserve others
 * for its removal, so that a run that has used up its budget can still clean up.
 */
export class RequestBudget {
  private readonly limit: number | 'none';
  private readonly limitedBy: RequestLimit;
  private reserved: number;
  private keptForLaterPhases = 0;
  /** Whether the current requests are clean-up. */
  isCleaningUp = false;
  /** Requests that were sent. */
  spent: number;

  constructor(limit: number | 'none', { limitedBy, spent = 0, made = 0 }: RequestBudgetOptions = {}) {
    this.limit = limit;
    this.limitedBy = limitedBy ?? 'limits.maxRequests of the target file';
    this.reserved = made;
    this.spent = spent;
  }

  /** Keeps this number of requests for the checks of later phases; 0 releases them. */
  keepForLaterPhases(requests: number): void {
    this.keptForLaterPhases = requests;
  }

  /** Counts requests that are about to be sent, all or none. Throws Blocked if the budget is too small. */
  spend(purposes: readonly RequestPurpose[]): void {
    const kept = purposes.reduce((sum, purpose) => sum + RESERVED_REQUESTS[purpose], 0);
    const isCleanUp = purposes.includes('cleaning up');
    const spoken = this.spent + purposes.length + (isCleanUp ? 0 : this.reserved + kept + this.keptForLaterPhases);
    if (this.limit !== 'none' && spoken > this.limit) throw this.budgetExhausted();
    this.spent += purposes.length;
    this.reserved += kept;
    if (isCleanUp) this.reserved = Math.max(0, this.reserved - purposes.length);
  }

  /** Requests that may still be sent, including the reserved ones. */
  get remaining(): number {
    return this.limit === 'none' ? Number.POSITIVE_INFINITY : this.limit - this.spent;
  }

  /** Clean-up does not need the requests that a request with this purpose has reserved. */
  releaseReservation(purpose: RequestPurpose): void {
    this.reserved = Math.max(0, this.reserved - RESERVED_REQUESTS[purpose]);
  }

  /** A resolved invoice still needs a read and a cancellation, because clean-up may not know its state. */
  releaseResolved(): void {
    this.reserved = Math.max(0, this.reserved - RESERVED_REQUESTS.disputing + REQUESTS_AFTER_RESOLUTION);
  }

  private budgetExhausted(): Blocked {
    const cleanUp = this.reserved > 0 ? ` and ${this.reserved} reserved for clean-up` : '';
    const later = this.keptForLaterPhases > 0 ? ` and ${this.keptForLaterPhases} kept for later checks` : '';
    return new Blocked(
      this.limitedBy,
      `the budget of ${this.limit} requests is used up: ${this.spent} sent${cleanUp}${later}`,
    );
  }
}
