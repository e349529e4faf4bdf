import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckRecord } from '../../specs/journal.ts';
import { type Precondition, preconditionsOf } from '../../specs/preconditions.ts';
import { Blocked } from '../model/outcomes.ts';

type RecordedVerdict = Pick<CheckRecord, 'verdict' | 'blockedBy'>;

interface PendingVerdict {
  concluded: Promise<RecordedVerdict | null>;
  conclude: (word: RecordedVerdict | null) => void;
}

interface BreachSummary {
  reason: string;
  /** Ids of the exchanges that decide it. */
  decisive: readonly string[];
}

/** Which checks of a run have failed, for those whose experiments rest on them. */
export class Preconditions {
  private readonly conclusions = new Map<CheckId, PendingVerdict>();
  private readonly broken = new Set<CheckId>();
  /** Found broken by an experiment; what that rests on itself may still turn out to be. */
  private readonly suspected = new Set<CheckId>();
  private readonly isBrokenBy: (id: CheckId, exchanges: readonly string[]) => boolean;

  /** `isBrokenBy`: whether a rule about every exchange is broken by one of these. */
  constructor(isBrokenBy: (id: CheckId, exchanges: readonly string[]) => boolean) {
    this.isBrokenBy = isBrokenBy;
  }

  /** The checks of the run; others are no precondition of any. */
  select(ids: readonly CheckId[]): void {
    for (const id of ids) {
      let conclude: PendingVerdict['conclude'] = () => {};
      const concluded = new Promise<RecordedVerdict | null>((resolve) => {
        conclude = resolve;
      });
      this.conclusions.set(id, { concluded, conclude });
    }
  }

  /** An experiment has found a breach of the sentence that a check owns. */
  suspect(id: CheckId): void {
    this.suspected.add(id);
  }

  /** The verdict on a check; null where the run ended before there was one. */
  conclude(id: CheckId, word: RecordedVerdict | null): void {
    if (word?.verdict === 'fail' || word?.verdict === 'warn') this.broken.add(id);
    this.conclusions.get(id)?.conclude(word);
  }

  /** Throws Blocked where a precondition without which the check need not begin was found broken by now. */
  insist(id: CheckId | null): void {
    const all = id === null ? [] : this.selectedOf(id);
    const broken = all.find(({ owner, stops }) => stops && this.suspected.has(owner));
    if (broken) throw brokenPrecondition(broken);
  }

  /**
   * Waits for the verdicts on the preconditions of a check: the Blocked of the first that failed, or was blocked by a failed one itself;
   * otherwise null. A rule about every exchange counts where one of the exchanges that decide the check breaks it.
   */
  async failureBefore(id: CheckId, { reason, decisive }: BreachSummary): Promise<Blocked | null> {
    for (const each of this.selectedOf(id)) {
      if (each.where !== undefined && !reason.includes(each.where)) continue;
      const word = await this.conclusions.get(each.owner)?.concluded;
      const isInTheWay = this.suspected.has(each.owner) || this.isBrokenBy(each.owner, decisive);
      if (this.broken.has(each.owner) && isInTheWay) return brokenPrecondition(each);
      const deeper = word?.verdict === 'blocked' ? (word.blockedBy as CheckId) : null;
      if (deeper !== null && this.broken.has(deeper)) {
        return new Blocked(deeper, `${deeper} failed, and ${each.owner}, which this check rests on, is blocked by it`);
      }
    }
    return null;
  }

  /** Whether one of these exchanges, which decide a breach, breaks a rule that the check rests on. Trying again is pointless then. */
  restsOnBrokenRule(id: CheckId | null, decisive: readonly string[]): boolean {
    return id !== null && this.selectedOf(id).some(({ owner }) => this.isBrokenBy(owner, decisive));
  }

  private selectedOf(id: CheckId): readonly Precondition[] {
    return preconditionsOf(id).filter(({ owner }) => this.conclusions.has(owner));
  }
}

function brokenPrecondition({ owner, because }: Precondition): Blocked {
  return new Blocked(owner, `${owner} failed: ${because}`);
}
