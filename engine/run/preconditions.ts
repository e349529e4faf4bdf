import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckRecord } from '../../specs/journal.ts';
import { type Precondition, preconditionsOf } from '../../specs/preconditions.ts';
import { Blocked } from '../model/outcomes.ts';

type RecordedVerdict = Pick<CheckRecord, 'verdict' | 'blockedBy'>;

interface PendingVerdict {
  recorded: Promise<RecordedVerdict | null>;
  record: (word: RecordedVerdict | null) => void;
}

interface BreachSummary {
  reason: string;
  /** Ids of the exchanges that decide it. */
  decisive: readonly string[];
}

/** Which checks of a run have failed, for those whose experiments rest on them. */
export class Preconditions {
  private readonly pendingVerdicts = new Map<CheckId, PendingVerdict>();
  private readonly brokenChecks = new Set<CheckId>();
  /** Found broken by an experiment; what that rests on itself may still turn out to be. */
  private readonly suspectedChecks = new Set<CheckId>();
  private readonly isBrokenBy: (id: CheckId, exchanges: readonly string[]) => boolean;

  /** `isBrokenBy`: whether a rule about every exchange is broken by one of these. */
  constructor(isBrokenBy: (id: CheckId, exchanges: readonly string[]) => boolean) {
    this.isBrokenBy = isBrokenBy;
  }

  /** The checks of the run; others are no precondition of any. */
  select(ids: readonly CheckId[]): void {
    for (const id of ids) {
      let conclude: PendingVerdict['record'] = () => {};
      const concluded = new Promise<RecordedVerdict | null>((resolve) => {
        conclude = resolve;
      });
      this.pendingVerdicts.set(id, { recorded: concluded, record: conclude });
    }
  }

  /** An experiment has found a breach of the sentence that a check owns. */
  markSuspected(id: CheckId): void {
    this.suspectedChecks.add(id);
  }

  /** The verdict on a check; null where the run ended before there was one. */
  recordVerdict(id: CheckId, word: RecordedVerdict | null): void {
    if (word?.verdict === 'fail' || word?.verdict === 'warn') this.brokenChecks.add(id);
    this.pendingVerdicts.get(id)?.record(word);
  }

  /** Throws Blocked where a precondition without which the check need not begin was found broken by now. */
  blockIfPreconditionBroken(id: CheckId | null): void {
    const all = id === null ? [] : this.selectedPreconditions(id);
    const broken = all.find(({ owner, stops }) => stops && this.suspectedChecks.has(owner));
    if (broken) throw brokenPrecondition(broken);
  }

  /**
   * Waits for the verdicts on the preconditions of a check: the Blocked of the first that failed, or was blocked by a failed one itself;
   * otherwise null. A rule about every exchange counts where one of the exchanges that decide the check breaks it.
   */
  async findFailedPrecondition(id: CheckId, { reason, decisive }: BreachSummary): Promise<Blocked | null> {
    for (const each of this.selectedPreconditions(id)) {
      if (each.where !== undefined && !reason.includes(each.where)) continue;
      const word = await this.pendingVerdicts.get(each.owner)?.recorded;
      const isInTheWay = this.suspectedChecks.has(each.owner) || this.isBrokenBy(each.owner, decisive);
      if (this.brokenChecks.has(each.owner) && isInTheWay) return brokenPrecondition(each);
      const deeper = word?.verdict === 'blocked' ? (word.blockedBy as CheckId) : null;
      if (deeper !== null && this.brokenChecks.has(deeper)) {
        return new Blocked(deeper, `${deeper} failed, and ${each.owner}, which this check rests on, is blocked by it`);
      }
    }
    return null;
  }

  /** Whether one of these exchanges, which decide a breach, breaks a rule that the check rests on. Trying again is pointless then. */
  restsOnBrokenRule(id: CheckId | null, decisive: readonly string[]): boolean {
    return id !== null && this.selectedPreconditions(id).some(({ owner }) => this.isBrokenBy(owner, decisive));
  }

  private selectedPreconditions(id: CheckId): readonly Precondition[] {
    return preconditionsOf(id).filter(({ owner }) => this.pendingVerdicts.has(owner));
  }
}

function brokenPrecondition({ owner, because }: Precondition): Blocked {
  return new Blocked(owner, `${owner} failed: ${because}`);
}
