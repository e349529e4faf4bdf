import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { Journal } from '../evidence/journal.ts';

export interface Leftover {
  what: string;
  /** Why it remains; null if nothing is left to do, such as for a cancelled invoice. */
  reason: string | null;
  /** Whether the removal was rejected or failed. */
  isRemovalRejected?: boolean;
}

/** What a run has created on the server, by id, and what became of it. */
export class Leftovers {
  private readonly byId = new Map<string, Leftover>();
  private readonly removedCounts = new Map<string, number>();
  private readonly removedIds = new Map<string, string>();
  private withdrawal: { sum: string; runsLeft: number | null } | null = null;

  entries(): [string, Leftover][] {
    return [...this.byId];
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  /** Records something the kit has created; call `recordDeleted` after its removal. */
  recordCreated(id: string, what: string, reason: string | null): void {
    // A server may give the id of a removed record to a new one.
    this.removedIds.delete(id);
    this.byId.set(id, { what, reason });
  }

  /** Records a failed removal of something the kit has created. Ignores foreign records. */
  recordRejectedRemoval(id: string, reason: string): void {
    const left = this.byId.get(id);
    if (left) this.byId.set(id, { what: left.what, reason, isRemovalRejected: true });
  }

  /** Records the new state of something that the kit has created. Ignores foreign records. */
  recordTransition(id: string, what: string, reason: string | null): void {
    if (this.has(id)) this.recordCreated(id, what, reason);
  }

  /** Records why something that the kit has created becomes a leftover. Ignores foreign records. */
  recordUnremovable(id: string, reason: string): void {
    const left = this.byId.get(id);
    if (left) this.recordCreated(id, left.what, reason);
  }

  recordDeleted(id: string): void {
    const left = this.byId.get(id);
    if (left) {
      this.countRemoved(left.what);
      this.removedIds.set(id, left.what);
    }
    this.byId.delete(id);
  }

  /** The ids of what was removed, each with what it was. */
  removed(): [id: string, what: string][] {
    return [...this.removedIds];
  }

  /** Records the total of withdrawals, and for how many more runs the balance lasts, if known. */
  recordWithdrawal(sum: string, runsLeft: number | null): void {
    this.withdrawal = { sum, runsLeft };
  }

  /** Writes leftovers, counts of removed items and withdrawals. Call it once, at the end of the run. */
  write(journal: Journal): void {
    for (const [id, { what, reason }] of this.byId) {
      if (reason === null) this.countRemoved(what);
      else journal.write({ kind: 'leftover', id, what, reason });
    }
    for (const [what, count] of this.removedCounts) journal.write({ kind: 'removed', what, count });
    if (this.withdrawal) journal.write({ kind: 'withdrawn', ...this.withdrawal });
  }

  private countRemoved(what: string): void {
    this.removedCounts.set(what, (this.removedCounts.get(what) ?? 0) + 1);
  }
}

const LEFTOVER_REASONS: Record<InvoiceState, string | null> = {
  DRAFT: 'not deleted',
  SUBMITTED: 'not cancelled',
  DISPUTED: 'not resolved and then cancelled',
  APPROVED: 'no action removes an invoice in this state',
  SETTLED: 'no action removes an invoice in this state',
  // A cancelled invoice is void, and no action could remove it.
  CANCELLED: null,
};

/** Why an invoice of the kit is a leftover in this state; null if it counts as removed. */
export function leftoverReason(state: InvoiceState): string | null {
  return LEFTOVER_REASONS[state];
}

/** The prefix for the id and type of a production leftover. */
export const PRODUCTION_PREFIX = 'production ';
