import { type Precondition, preconditionsOf } from '../../specs/catalogue/preconditions.ts';
import type { CheckRecord } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
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

/** The failed checks of a run, for checks that depend on them. */
export class Preconditions {
  private readonly pendingVerdicts = new Map<CheckId, PendingVerdict>();
  private readonly brokenChecks = new Set<CheckId>();
  /** Breaches found by checks whose own preconditions are not judged yet. */
  private readonly suspectedChecks = new Set<CheckId>();
  /** How many checks each cause has blocked. */
  private readonly blockingCauses = new Map<NonNullable<Blocked['blockedBy']>, number>();
  private readonly isBrokenBy: (id: CheckId, exchanges: readonly string[]) => boolean;

  /** `isBrokenBy`: whether one of the exchanges breaks an exchange rule. */
  constructor(isBrokenBy: (id: CheckId, exchanges: readonly string[]) => boolean) {
    this.isBrokenBy = isBrokenBy;
  }

  /** Sets the checks of the run. Other checks are not used as preconditions. */
  select(ids: readonly CheckId[]): void {
    for (const id of ids) {
      let conclude: PendingVerdict['record'] = () => {};
      const concluded = new Promise<RecordedVerdict | null>((resolve) => {
        conclude = resolve;
      });
      this.pendingVerdicts.set(id, { recorded: concluded, record: conclude });
    }
  }

  /** Records that a check has found a breach. */
  markSuspected(id: CheckId): void {
    this.suspectedChecks.add(id);
  }

  /** Records the verdict of a check; null if the run ended before. */
  recordVerdict(id: CheckId, word: RecordedVerdict | null): void {
    if (word?.verdict === 'fail' || word?.verdict === 'warn') this.brokenChecks.add(id);
    const cause = word?.verdict === 'blocked' ? (word.blockedBy as Blocked['blockedBy']) : null;
    if (cause !== null) this.blockingCauses.set(cause, (this.blockingCauses.get(cause) ?? 0) + 1);
    this.pendingVerdicts.get(id)?.record(word);
  }

  /** What has blocked most checks so far; null if no check is blocked. */
  mainBlockingCause(): Blocked['blockedBy'] {
    const [most] = [...this.blockingCauses].sort(([, one], [, other]) => other - one);
    return most?.[0] ?? null;
  }

  /** Throws Blocked if a precondition that stops the check is already broken. */
  blockIfPreconditionBroken(id: CheckId | null): void {
    const all = id === null ? [] : this.selectedPreconditions(id);
    const broken = all.find(({ owner, stops }) => stops && this.suspectedChecks.has(owner));
    if (broken) throw brokenPrecondition(broken);
  }

  /**
   * Waits for the verdicts on the preconditions of a check. Returns the Blocked outcome of the first one that failed or
   * was blocked by a failed one; otherwise null. An exchange rule counts only if one of the exchanges that decide the
   * check breaks it.
   */
  async findFailedPrecondition(id: CheckId, { reason, decisive }: BreachSummary): Promise<Blocked | null> {
    for (const each of this.selectedPreconditions(id)) {
      if (each.where !== undefined && !reason.includes(each.where)) continue;
      const word = await this.pendingVerdicts.get(each.owner)?.recorded;
      const isInTheWay = this.suspectedChecks.has(each.owner) || this.isBrokenBy(each.owner, decisive);
      if (this.brokenChecks.has(each.owner) && isInTheWay) return brokenPrecondition(each);
      const deeper = word?.verdict === 'blocked' ? (word.blockedBy as CheckId) : null;
      if (deeper !== null && this.brokenChecks.has(deeper)) {
        return new Blocked(deeper, `this check depends on ${each.owner}, which is blocked because ${deeper} failed`);
      }
    }
    return null;
  }

  /**
   * Whether one of these exchanges, which decide a breach, breaks a rule that the check depends on. A retry is then
   * pointless.
   */
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
