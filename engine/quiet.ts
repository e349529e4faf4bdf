import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Lets a check look at lists while the kit itself neither creates nor removes an invoice. Creations and deletions are
 * `shared` with each other; a `quiet` stretch waits for those under way and holds back new ones, but for its own.
 */
export class Quiet {
  private sharing = 0;
  private held = false;
  private readonly inside = new AsyncLocalStorage<true>();
  private readonly queue: { exclusive: boolean; start: () => void }[] = [];

  async shared<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside.getStore()) return await work();
    await this.enter(false);
    try {
      return await work();
    } finally {
      this.sharing -= 1;
      this.next();
    }
  }

  async quiet<T>(work: () => Promise<T>): Promise<T> {
    await this.enter(true);
    try {
      return await this.inside.run(true, work);
    } finally {
      this.held = false;
      this.next();
    }
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
