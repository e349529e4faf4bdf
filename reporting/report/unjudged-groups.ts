import { isCheckId } from '../../specs/catalogue/catalogue.ts';
import type { CheckReport, Report } from '../../specs/formats/report.ts';
import { NO_RESPONSE } from '../../specs/verdicts.ts';
import { groupBy } from '../text/group-by.ts';
import { pluralize } from '../text/wording.ts';

type UnjudgedCheck = Pick<CheckReport, 'id' | 'blockedBy' | 'reason'>;

/** Checks that were not judged for the same reason. */
export interface UnjudgedGroup<Check extends UnjudgedCheck = CheckReport> {
  /** The check that failed first, or the missing capability; null if the run ended first, or the check is not applicable. */
  readonly blockedBy: string | null;
  readonly reason: string;
  readonly checks: readonly Check[];
}

/** A limit of the target file. */
const LIMIT = /^limits\./;

/**
 * By the failed check or the limit that blocks them, else by reason: an unavailable target first, because it explains other reasons; then
 * the largest group. Reasons that name the same check or limit differ only in the request, so the first one stands for all.
 */
export function groupUnjudged<Check extends UnjudgedCheck>(unjudged: readonly Check[]): UnjudgedGroup<Check>[] {
  const groups = groupBy(unjudged, ({ blockedBy, reason }) =>
    isCheckId(blockedBy) || LIMIT.test(blockedBy ?? '') ? blockedBy : JSON.stringify([blockedBy, reason]),
  );
  const rank = ({ blockedBy, checks }: UnjudgedGroup<Check>) =>
    blockedBy === 'target' ? Number.POSITIVE_INFINITY : checks.length;
  return [...groups.values()]
    .map((checks) => ({ blockedBy: checks[0]?.blockedBy ?? null, reason: checks[0]?.reason ?? '', checks }))
    .sort((one, other) => rank(other) - rank(one) || other.checks.length - one.checks.length);
}

/** A reason that so many checks share says something about the server or the target file. */
const FREQUENT = 10;
const MAX_REASONS = 4;

/** Why required checks, or many checks, were not applicable, one line for each reason. The report has the reason of each. */
export function notApplicableReasons({ checks }: Pick<Report, 'checks'>): string[] {
  const notApplicable = checks.filter(({ verdict }) => verdict === 'not-applicable');
  const notable = notableReasons(notApplicable);
  const rest = notApplicable.length - notable.reduce((sum, { checks: those }) => sum + those.length, 0);
  const lines = notable.map(({ checks: those, reason }) =>
    those.length === 1 ? `${those[0]?.id}: ${reason}` : `${those.length} checks: ${reason}`,
  );
  return lines.length > 0 && rest > 0 ? [...lines, `${pluralize(rest, 'more check')} (reasons in the report)`] : lines;
}

/**
 * Why checks of required requirements, or many checks, were not judged. The most frequent reasons come first, at most four. Every run has
 * rules without a response, for example about a status that the server does not use.
 */
function notableReasons(unjudged: readonly CheckReport[]): UnjudgedGroup[] {
  return groupUnjudged(unjudged.filter(({ reason }) => !reason.startsWith(NO_RESPONSE)))
    .filter(({ checks }) => checks.length >= FREQUENT || checks.some(({ level }) => level === 'required'))
    .slice(0, MAX_REASONS);
}
