import type { LockOwner } from './lock-owner.ts';

/** Lets another owner into an exclusive section. The returned function lets it leave again before the end. */
export type AdmitOwner = (other: LockOwner) => () => void;

/** Work in an exclusive section, to which it can admit other owners. */
export type ExclusiveWork<T> = (admit: AdmitOwner) => Promise<T>;

/** A section that waits to begin. */
interface QueuedSection {
  readonly exclusive: boolean;
  /** When it began to wait, by `performance.now()`. */
  readonly since: number;
  readonly start: () => void;
}

/** How long, in milliseconds, preferred sections may overtake another one. Meanwhile, others may change what its check has read. */
const MAX_OVERTAKEN_MS = 3000;

const isOverdue = ({ exclusive, since }: QueuedSection): boolean =>
  !exclusive && performance.now() - since >= MAX_OVERTAKEN_MS;

/**
 * Lets a check read a state while the kit itself does not change it. Requests that change the state share the lock; an
 * exclusive section waits for them and delays later ones, except for those of its owner.
 *
 * A caller that needs two locks takes them in the order in which `RunContext` declares them.
 */
export class ReadWriteLock {
  private sharedCount = 0;
  private isExclusivelyHeld = false;
  /** The owners of the open sections. */
  private readonly owners = new Set<LockOwner>();
  private readonly queue: QueuedSection[] = [];
  private readonly prefersExclusive: boolean;

  /** `prefersExclusive`: whether exclusive sections follow one another, before the shared ones that have not waited long. */
  constructor({ prefersExclusive = false } = {}) {
    this.prefersExclusive = prefersExclusive;
  }

  /** Whether the owner is in an exclusive section. */
  isHeldBy(owner: LockOwner): boolean {
    return this.isExclusivelyHeld && this.isEntered(owner);
  }

  /** Whether the owner is in a section of any kind. */
  protected isEntered(owner: LockOwner): boolean {
    for (const each of this.owners) if (owner.belongsTo(each)) return true;
    return false;
  }

  private isEnteredByPart(owner: LockOwner): boolean {
    for (const each of this.owners) if (each.belongsTo(owner)) return true;
    return false;
  }

  /** Sends one request that changes the state. `send` must not use this lock again. */
  async shared<T>(owner: LockOwner, send: () => Promise<T>): Promise<T> {
    // An owner in a section must not queue behind others that wait for the end of this section, nor wait for its own part.
    const isInside = this.isEntered(owner) || this.isEnteredByPart(owner);
    if (isInside || (this.queue.length === 0 && this.isFree(false))) this.acquire(false);
    else await this.enqueue(false);
    try {
      return await send();
    } finally {
      this.release(false);
    }
  }

  /**
   * Waits until a request could begin. A request that needs a second lock waits here first, so that it does not hold the other one
   * meanwhile.
   */
  async untilShared(owner: LockOwner): Promise<void> {
    await this.shared(owner, async () => {});
  }

  /** Runs work that changes the state several times and that no exclusive section may interrupt. */
  async sharedSection<T>(owner: LockOwner, work: () => Promise<T>): Promise<T> {
    return this.isEntered(owner) ? await work() : await this.runSection(owner, false, work);
  }

  /** Runs work in an exclusive section. Every request of this owner belongs to it, and those of the owners that it admits. */
  async exclusive<T>(owner: LockOwner, work: ExclusiveWork<T>): Promise<T> {
    const admit: AdmitOwner = (other) => {
      if (this.isEntered(other)) return () => {};
      this.owners.add(other);
      return () => this.owners.delete(other);
    };
    if (this.isHeldBy(owner)) return await work(admit);
    if (this.isEntered(owner)) throw new Error('an exclusive section cannot begin inside a shared section');
    return await this.runSection(owner, true, () => work(admit));
  }

  private async runSection<T>(owner: LockOwner, exclusive: boolean, work: () => Promise<T>): Promise<T> {
    // Always queue, so that callers of the same moment are counted first.
    await this.enqueue(exclusive);
    this.owners.add(owner);
    try {
      return await work();
    } finally {
      if (exclusive) this.owners.clear();
      else this.owners.delete(owner);
      this.release(exclusive);
    }
  }

  private isFree(exclusive: boolean): boolean {
    return !this.isExclusivelyHeld && !(exclusive && this.sharedCount > 0);
  }

  private acquire(exclusive: boolean): void {
    if (exclusive) this.isExclusivelyHeld = true;
    else this.sharedCount += 1;
  }

  private enqueue(exclusive: boolean): Promise<void> {
    return new Promise((start) => {
      const firstShared = this.queue.findIndex((each) => !each.exclusive);
      const at = this.prefersExclusive && exclusive && firstShared >= 0 ? firstShared : this.queue.length;
      this.queue.splice(at, 0, { exclusive, since: performance.now(), start });
      this.admitNext();
    });
  }

  private release(exclusive: boolean): void {
    if (exclusive) this.isExclusivelyHeld = false;
    else this.sharedCount -= 1;
    this.admitNext();
  }

  private admitNext(): void {
    if (this.prefersExclusive && this.queue.some(isOverdue))
      this.queue.sort((one, other) => Number(one.exclusive) - Number(other.exclusive));
    for (let [first] = this.queue; first && this.isFree(first.exclusive); [first] = this.queue) {
      this.queue.shift();
      this.acquire(first.exclusive);
      first.start();
    }
  }
}
