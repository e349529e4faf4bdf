import { AsyncLocalStorage } from 'node:async_hooks';

/** A stretch of work that others wait for, from its beginning to its end. */
interface LockSection {
  readonly exclusive: boolean;
  hasEnded: boolean;
}

/** What whoever asks is in. */
const currentSections = new AsyncLocalStorage<ReadonlyMap<ReadWriteLock, LockSection>>();
let openSectionCount = 0;

/**
 * Does the work of a stretch so that all that it does knows what it is in. As long as there is a storage, each promise of the process
 * pays for it: so there is none while no stretch is open, and requests that only have to keep out of one have no use for it.
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
 * Lets a check look at something while the kit itself does not move it. What moves it is `shared` with each other; a
 * `quiet` stretch waits for what is under way and holds back what comes later, but for what it does itself.
 *
 * Who needs two of these at the same time takes them in the order in which `Run` declares them.
 */
export class ReadWriteLock {
  private sharedCount = 0;
  private isExclusivelyHeld = false;
  /** The check whose own the quiet stretch is, if it is one's. */
  private holder: string | null = null;
  private readonly queue: { exclusive: boolean; start: () => void }[] = [];

  /** Whether whoever asks, for this check or for none, is in a quiet stretch, for whose end others may be waiting. */
  isHeldBy(check: string | null): boolean {
    return this.isExclusivelyHeld && (this.isHolder(check) || this.currentSection?.exclusive === true);
  }

  /** Sends something that moves it for a check, and nothing else: what it does must not ask for this again. */
  async shared<T>(check: string | null, send: () => Promise<T>): Promise<T> {
    // What came in need not queue up again, behind those who wait for it to leave.
    if (this.isHolder(check) || this.currentSection) return await send();
    if (this.queue.length === 0 && this.isFree(false)) this.acquire(false);
    else await this.enqueue(false);
    try {
      return await send();
    } finally {
      this.release(false);
    }
  }

  /** Does work of which several parts move it, and which therefore no quiet stretch may interrupt. */
  async sharedSection<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    return this.isHolder(check) || this.currentSection ? await work() : await this.runSection(false, work);
  }

  /** Does some of what a check does at a time in a quiet stretch. */
  async exclusiveSection<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    if (this.isHeldBy(check)) return await work();
    if (this.currentSection) throw new Error('a quiet stretch cannot begin within what it waits for');
    return await this.runSection(true, work);
  }

  /**
   * Does all that a check does for a while in a quiet stretch: whatever is asked in its name meanwhile is in it, without any
   * storage. What the kit asks for no check is of more than one mind.
   */
  async exclusive<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    if (this.isHeldBy(check)) return await work();
    if (this.currentSection) throw new Error('a quiet stretch cannot begin within what it waits for');
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
    // Never at once: whoever comes at the same moment is to be seen first.
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
      this.queue.push({ exclusive, start });
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
