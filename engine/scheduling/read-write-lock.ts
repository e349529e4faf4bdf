import { AsyncLocalStorage } from 'node:async_hooks';

/** A stretch of work that others wait for, from its beginning to its end. */
interface LockSection {
  readonly exclusive: boolean;
  over: boolean;
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
  private sharing = 0;
  private held = false;
  /** The check whose own the quiet stretch is, if it is one's. */
  private holder: string | null = null;
  private readonly queue: { exclusive: boolean; start: () => void }[] = [];

  /** Whether whoever asks, for this check or for none, is in a quiet stretch, for whose end others may be waiting. */
  within(check: string | null): boolean {
    return this.held && (this.isOf(check) || this.stretch?.exclusive === true);
  }

  /** Sends something that moves it for a check, and nothing else: what it does must not ask for this again. */
  async shared<T>(check: string | null, send: () => Promise<T>): Promise<T> {
    // What came in need not queue up again, behind those who wait for it to leave.
    if (this.isOf(check) || this.stretch) return await send();
    if (this.queue.length === 0 && this.isFree(false)) this.take(false);
    else await this.queueUp(false);
    try {
      return await send();
    } finally {
      this.leave(false);
    }
  }

  /** Does work of which several parts move it, and which therefore no quiet stretch may interrupt. */
  async sharedThroughout<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    return this.isOf(check) || this.stretch ? await work() : await this.during(false, work);
  }

  /** Does some of what a check does at a time in a quiet stretch. */
  async quiet<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    if (this.within(check)) return await work();
    if (this.stretch) throw new Error('a quiet stretch cannot begin within what it waits for');
    return await this.during(true, work);
  }

  /**
   * Does all that a check does for a while in a quiet stretch: whatever is asked in its name meanwhile is in it, without any
   * storage. What the kit asks for no check is of more than one mind.
   */
  async quietFor<T>(check: string | null, work: () => Promise<T>): Promise<T> {
    if (this.within(check)) return await work();
    if (this.stretch) throw new Error('a quiet stretch cannot begin within what it waits for');
    if (check === null) return await this.during(true, work);
    await this.queueUp(true);
    this.holder = check;
    try {
      return await work();
    } finally {
      this.holder = null;
      this.leave(true);
    }
  }

  private isOf(check: string | null): boolean {
    return check !== null && this.holder === check;
  }

  private get stretch(): LockSection | undefined {
    const stretch = openSectionCount === 0 ? undefined : currentSections.getStore()?.get(this);
    return stretch?.over ? undefined : stretch;
  }

  private async during<T>(exclusive: boolean, work: () => Promise<T>): Promise<T> {
    const outer = currentSections.getStore() ?? [];
    // Never at once: whoever comes at the same moment is to be seen first.
    await this.queueUp(exclusive);
    const stretch = { exclusive, over: false };
    try {
      return await runInSections(new Map([...outer, [this, stretch]]), work);
    } finally {
      stretch.over = true;
      this.leave(exclusive);
    }
  }

  private isFree(exclusive: boolean): boolean {
    return !this.held && !(exclusive && this.sharing > 0);
  }

  private take(exclusive: boolean): void {
    if (exclusive) this.held = true;
    else this.sharing += 1;
  }

  private queueUp(exclusive: boolean): Promise<void> {
    return new Promise((start) => {
      this.queue.push({ exclusive, start });
      this.next();
    });
  }

  private leave(exclusive: boolean): void {
    if (exclusive) this.held = false;
    else this.sharing -= 1;
    this.next();
  }

  private next(): void {
    for (let [first] = this.queue; first && this.isFree(first.exclusive); [first] = this.queue) {
      this.queue.shift();
      this.take(first.exclusive);
      first.start();
    }
  }
}
