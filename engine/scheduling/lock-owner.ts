/**
 * On whose behalf a lock is held: a check, or a part of its work with sections of its own. A part belongs to the sections of the whole;
 * other parts wait for its sections.
 */
export class LockOwner {
  private readonly whole: LockOwner | null;

  constructor(whole: LockOwner | null = null) {
    this.whole = whole;
  }

  part(): LockOwner {
    return new LockOwner(this);
  }

  /** Whether this is the other owner or a part of it. */
  belongsTo(other: LockOwner): boolean {
    return this === other || (this.whole?.belongsTo(other) ?? false);
  }
}
