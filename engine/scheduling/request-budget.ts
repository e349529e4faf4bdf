import { REQUEST_BUDGET_CAUSE } from '../../specs/verdicts.ts';
import { Blocked } from '../model/outcomes.ts';

/** `creating`: it may leave something behind. `tidying`: it removes what was left. */
export type RequestPurpose = 'ordinary' | 'creating' | 'tidying';

/**
 * How many requests the run may send in all. Each request that creates an invoice keeps another one aside, for its removal:
 * a run that has used up its budget can still tidy up.
 */
export class RequestBudget {
  private readonly limit: number | 'none';
  private reserved: number;
  /** Whether what is asked for now removes what was created. */
  isCleaningUp = false;
  /** Requests that have left. */
  spent: number;

  /** `made` is what was created with the requests that are spent, and is still to be removed. */
  constructor(limit: number | 'none', spent = 0, made = 0) {
    this.limit = limit;
    this.reserved = made;
    this.spent = spent;
  }

  /** Counts requests that are about to leave, all of them or none. Throws Blocked when there is no room for them. */
  spend(purposes: readonly RequestPurpose[]): void {
    const kept = purposes.filter((purpose) => purpose === 'creating').length;
    const tidying = purposes.includes('tidying');
    const spoken = this.spent + purposes.length + (tidying ? 0 : this.reserved + kept);
    if (this.limit !== 'none' && spoken > this.limit) throw this.budgetExhausted();
    this.spent += purposes.length;
    this.reserved += kept;
    if (tidying) this.reserved = Math.max(0, this.reserved - purposes.length);
  }

  /** Requests that may still be sent, those kept aside among them. */
  get remaining(): number {
    return this.limit === 'none' ? Number.POSITIVE_INFINITY : this.limit - this.spent;
  }

  /** A creation was refused: there is nothing to remove. */
  releaseReservation(): void {
    this.reserved = Math.max(0, this.reserved - 1);
  }

  private budgetExhausted(): Blocked {
    const aside = this.reserved > 0 ? ` and ${this.reserved} kept for removing what was created` : '';
    return new Blocked(
      REQUEST_BUDGET_CAUSE,
      `the budget of ${this.limit} requests (limits.maxRequests, --max-requests) is used up: ${this.spent} sent${aside}`,
    );
  }
}
