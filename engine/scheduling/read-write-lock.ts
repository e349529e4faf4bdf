import { AsyncLocalStorage } from 'node:async_hooks';

/** A section of work that others wait for. */
interface LockSection {
  readonly exclusive: boolean;
  hasEnded: boolean;
}

/** The open sections of the caller. */
const currentSections = new AsyncLocalStorage<ReadonlyMap<ReadWriteLock, LockSection>>();
let openSectionCount = 0;

/**
 * Runs work inside sections. An active storage slows down every promise of the process, so it is disabled while no section
 * is open.
 */
async function runInSections<T>(
  stretches: ReadonlyMap<ReadWriteLock, LockSection>,
  work: () => Promise<T>,
): Promise<T> {
  openSectionCount += 1;
  try {
    return await currentSections.run(stretches, work);
  } finally {
    openSectionCount -= 1;
    if (openSectionCount === 0) currentSections.disable();
  }
}

/**
 * Lets a check read a state while the kit itself does not change it. Requests that change the state share the lock; an
 * exclusive section waits for them and delays later ones, except for its own.
 *
 * A caller that needs two locks takes them in the order in which `RunContext` declares them.
 */
export class ReadWriteLock {
  private sharedCount = 0;
  private isExclusivelyHeld = false;
  /** The check that holds the exclusive section, if a check does. */
  private holder: string | null = null;
  private readonly queue: { exclusive: boolean; start: () => void }[] = [];
  private readonly prefersExclusive: boolean;

  /** `prefersExclusive`: whether exclusive sections follow one another, before the shared ones that wait. */
  constructor({ prefersExclusive = false } = {}) {
    this.prefersExclusive = prefersExclusive;
  }

  /** Whether the caller, for this check or for none, is in an exclusive section. */
  isHeldBy(check: string | null): boolean {
    return this.isExclusivelyHeld && (this.isHolder(check) || this.currentSection?.exclusive === true);
  }

  /** Whether the caller is in a section of any kind. */
  protected isEntered(check: string | null): boolean {
    return this.isHolder(check) || this.currentSection !== undefined;
  }

  /** Sends one request that changes the state for a check. `send` must not use this lock again. */
  async shared<T>(check: string | null, send: () => Promise<T>): Promise<T> {
    // A caller inside a section must not queue behind others that wait for the end of this section.
    if (this.isEntered(check)) return await send();
    if (this.queue.length === 0 && this.isFree(false)) this.acquire(false);
    else await this.enqueue(false);
    try {
      return await send();
    } finally {
      this.release(false);
    }
  }

  /** Runs work that changes the state several times and that no exclusive section may interrupt. */
  async sharedSection<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    return this.isEntered(check) ? await work() : await this.runSection(false, work);
  }

  /** Runs a part of a check's concurrent work in an exclusive section. */
  async exclusiveSection<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    if (this.isHeldBy(check)) return await work();
    if (this.currentSection) throw new Error('an exclusive section cannot begin inside a shared section');
    return await this.runSection(true, work);
  }

  /**
   * Runs all work of a check in an exclusive section: every request of this check belongs to it, without a storage. Work of
   * the kit without a check uses a section instead.
   */
  async exclusive<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    if (this.isHeldBy(check)) return await work();
    if (this.currentSection) throw new Error('an exclusive section cannot begin inside a shared section');
    if (check === null) return await this.runSection(true, work);
    await this.enqueue(true);
    this.holder = check;
    try {
      return await work();
    } finally {
      this.holder = null;
      this.release(true);
    }
  }

  private isHolder(check: string | null): boolean {
    return check !== null && this.holder === check;
  }

  private get currentSection(): LockSection | undefined {
    const stretch = openSectionCount === 0 ? undefined : currentSections.getStore()?.get(this);
    return stretch?.hasEnded ? undefined : stretch;
  }

  private async runSection<T>(exclusive: boolean, work: () => Promise<T>): Promise<T> {
    const outer = currentSections.getStore() ?? [];
    // Always queue, so that callers of the same moment are counted first.
    await this.enqueue(exclusive);
    const section: LockSection = { exclusive, hasEnded: false };
    try {
      return await runInSections(new Map([...outer, [this, section]]), work);
    } finally {
      section.hasEnded = true;
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
      this.queue.splice(at, 0, { exclusive, start });
      this.admitNext();
    });
  }

  private release(exclusive: boolean): void {
    if (exclusive) this.isExclusivelyHeld = false;
    else this.sharedCount -= 1;
    this.admitNext();
  }

  private admitNext(): void {
    for (let [first] = this.queue; first && this.isFree(first.exclusive); [first] = this.queue) {
      this.queue.shift();
      this.acquire(first.exclusive);
      first.start();
    }
  }
}
