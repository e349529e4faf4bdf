import type { LockOwner } from './lock-owner.ts';
import { type ExclusiveWork, ReadWriteLock } from './read-write-lock.ts';

/**
 * The lock of the balances. Payments and changes of invoices share it; a check that compares balances holds it exclusively.
 *
 * A check that waits for the effects of earlier payments delays only payments, by a lock of their own that is taken before this one.
 */
export class BalanceLock extends ReadWriteLock {
  /** Checks that wait for earlier payments follow one another, so that the next one need not wait as long. */
  private readonly payments = new ReadWriteLock({ prefersExclusive: true });

  /** Sends a request that moves money. `send` must not use this lock again. */
  async payment<T>(owner: LockOwner, send: () => Promise<T>): Promise<T> {
    if (this.isEntered(owner)) return await send();
    return await this.payments.shared(owner, () => this.shared(owner, send));
  }

  /** Runs work of a check that may include payments. */
  override async exclusive<T>(owner: LockOwner, work: ExclusiveWork<T>): Promise<T> {
    if (this.isEntered(owner)) return await super.exclusive(owner, work);
    return await this.payments.shared(owner, () => super.exclusive(owner, work));
  }

  /**
   * Runs work of a check while no other check pays. Invoices may change meanwhile. The work must not wait for other checks, because
   * they may wait to pay.
   */
  async withoutOtherPayments<T>(owner: LockOwner, work: () => Promise<T>): Promise<T> {
    return this.isEntered(owner) ? await work() : await this.payments.exclusive(owner, work);
  }
}
