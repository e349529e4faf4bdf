import { AsyncLocalStorage } from 'node:async_hooks';

type Stretch = 'shared' | 'quiet';

/**
 * What whoever asks is in. One storage for all: each that there is costs something at every promise of the process, and a proof
 * makes thousands of runs in one.
 */
const inside = new AsyncLocalStorage<ReadonlyMap<Quiet, Stretch>>();

/**
 * Lets a check look at something while the kit itself does not move it. What moves it is `shared` with each other; a
 * `quiet` stretch waits for what is under way and holds back what comes later, but for what it does itself.
 *
 * Who needs two of these at the same time takes them in the order in which `Run` declares them.
 */
export class Quiet {
  private sharing = 0;
  private held = false;
  private readonly queue: { exclusive: boolean; start: () => void }[] = [];

  /** Whether whoever asks is in a quiet stretch, for whose end others may be waiting. */
  get within(): boolean {
    return this.held && this.stretch === 'quiet';
  }

  async shared<T>(work: () => Promise<T>): Promise<T> {
    // What came in need not queue up again, behind those who wait for it to leave.
    if (this.stretch) return await work();
    await this.enter(false);
    try {
      return await this.during('shared', work);
    } finally {
      this.sharing -= 1;
      this.next();
    }
  }

  async quiet<T>(work: () => Promise<T>): Promise<T> {
    if (this.within) return await work();
    if (this.stretch) throw new Error('a quiet stretch cannot begin within what it waits for');
    await this.enter(true);
    try {
      return await this.during('quiet', work);
    } finally {
      this.held = false;
      this.next();
    }
  }

  private get stretch(): Stretch | undefined {
    if (!this.held && this.sharing === 0) return undefined;
    return inside.getStore()?.get(this);
  }

  private during<T>(stretch: Stretch, work: () => Promise<T>): Promise<T> {
    return inside.run(new Map([...(inside.getStore() ?? []), [this, stretch]]), work);
  }

  private enter(exclusive: boolean): Promise<void> {
    return new Promise((start) => {
      this.queue.push({ exclusive, start });
      this.next();
    });
  }

  private next(): void {
    for (;;) {
      const first = this.queue[0];
      if (!first || this.held || (first.exclusive && this.sharing > 0)) return;
      this.queue.shift();
      if (first.exclusive) this.held = true;
      else this.sharing += 1;
      first.start();
    }
  }
}
