import { LockOwner } from './lock-owner.ts';
import type { AdmitOwner, ReadWriteLock } from './read-write-lock.ts';

/** Work of one check in a joint section. The check goes on after `resolve` or `reject`. */
export interface Participant<Work> {
  readonly work: Work;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

interface WaitingParticipant<Work> extends Participant<Work> {
  readonly owner: LockOwner;
}

/**
 * Runs the work of several checks in one exclusive section, so that the run stops once instead of once per check. The first check
 * opens the section, and later ones join while it waits.
 */
export class JointSection<Work> {
  private readonly lock: Pick<ReadWriteLock, 'exclusive'>;
  private readonly run: (participants: () => readonly Participant<Work>[]) => Promise<void>;
  private waiting: WaitingParticipant<Work>[] = [];

  /** `run` gets the checks that have joined until it calls `participants`, and ends each of them. */
  constructor(
    lock: Pick<ReadWriteLock, 'exclusive'>,
    run: (participants: () => readonly Participant<Work>[]) => Promise<void>,
  ) {
    this.lock = lock;
    this.run = run;
  }

  /** Whether a check with such work waits for the section. */
  awaits(condition: (work: Work) => boolean): boolean {
    return this.waiting.some(({ work }) => condition(work));
  }

  /** Returns when the work has ended. `isInside`: the owner is in an exclusive section already. */
  async join(work: Work, owner: LockOwner, { isInside = false } = {}): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ work, owner, resolve, reject });
      if (this.waiting.length === 1) void this.open(isInside ? owner : new LockOwner());
    });
  }

  private async open(opener: LockOwner): Promise<void> {
    let participants: readonly Participant<Work>[] | null = null;
    try {
      await this.lock.exclusive(opener, (admit) =>
        this.run(() => {
          participants = this.waiting.splice(0).map((each) => admitParticipant(each, admit));
          return participants;
        }),
      );
    } catch (error) {
      // Checks that wait after the beginning have opened a section of their own.
      for (const { reject } of participants ?? this.waiting.splice(0)) reject(error);
    }
  }
}

/** A check leaves the section before it goes on, because its next attempt needs a section of its own. */
function admitParticipant<Work>(
  { work, owner, ...waiting }: WaitingParticipant<Work>,
  admit: AdmitOwner,
): Participant<Work> {
  let leave = admit(owner);
  const end = () => {
    leave();
    leave = () => {};
  };
  return {
    work,
    resolve: () => {
      end();
      waiting.resolve();
    },
    reject: (reason) => {
      end();
      waiting.reject(reason);
    },
  };
}

/** Runs a step for all participants concurrently. Rejects those that fail, and returns the others. */
export async function runStep<Work>(
  participants: readonly Participant<Work>[],
  step: (work: Work) => Promise<void>,
): Promise<Participant<Work>[]> {
  const succeeded = await Promise.all(
    participants.map(async (participant) => {
      try {
        await step(participant.work);
        return [participant];
      } catch (error) {
        participant.reject(error);
        return [];
      }
    }),
  );
  return succeeded.flat();
}
