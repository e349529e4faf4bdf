import type { CheckReport, GateReport, Report, RequirementReport } from '../../specs/formats/report.ts';
import type { CheckVerdict } from '../../specs/verdicts.ts';
import type { FullExchange } from '../journal/evidence.ts';
import { scriptFile } from '../reproduction/script-file.ts';
import { curlCommand } from '../text/curl.ts';
import { groupBy } from '../text/group-by.ts';
import { acceptedFailures } from './gate.ts';
import { isJudged } from './judged.ts';
import { groupUnjudged, type UnjudgedGroup } from './unjudged-groups.ts';

/** The parts of a report that the text formats share, in reading order. */
export interface ReportView {
  readonly failed: readonly CheckReport[];
  readonly errors: readonly CheckReport[];
  readonly blocked: readonly UnjudgedGroup[];
  /** Only of a run that judged no check: they say why. */
  readonly notApplicable: readonly UnjudgedGroup[];
  readonly warned: readonly CheckReport[];
  readonly areas: ReadonlyMap<string, readonly RequirementReport[]>;
  requirementOf(check: CheckReport): RequirementReport | undefined;
  findCheck(id: string): CheckReport | undefined;
  /** The entry of the baseline that covers a failed check. */
  knownFailure(check: CheckReport): GateReport['known'][number] | undefined;
  /** Whether the gate accepts a failed check: it is in the baseline, or it is not new. */
  isAccepted(check: CheckReport): boolean;
  /** A complete exchange, if the report contains it. */
  findExchange(id: string): FullExchange | undefined;
  /** The exchange that reason and actual describe; without one, the last exchange of the check. */
  decisiveExchange(check: CheckReport): FullExchange | undefined;
  /** The file of the script that shows a failure again, relative to the folder of the run; null if there is none. */
  scriptFile(check: CheckReport): string | null;
  /** The checks to run again to see the failure: this one, and those whose exchanges it judges. */
  checksToRepeat(check: CheckReport): string[];
  /** The curl command that repeats an exchange, with the variables of the target file. */
  curlCommand(exchange: FullExchange): string;
}

/** Of a rule that many checks show, a few are enough. */
const MAX_REPEATED = 4;

/** Groups the checks of a report for the text formats. */
export function createReportView(report: Report): ReportView {
  const requirements = new Map(report.requirements.map((requirement) => [requirement.id, requirement]));
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const evidence = new Map(report.evidence.map((exchange) => [exchange.id, exchange]));
  const accepted = report.gate === null ? new Set() : acceptedFailures(report.gate);
  const having = (verdict: CheckVerdict) => report.checks.filter((check) => check.verdict === verdict);
  return {
    failed: having('fail'),
    errors: having('error'),
    blocked: groupUnjudged(having('blocked')),
    notApplicable: report.checks.some(isJudged) ? [] : groupUnjudged(having('not-applicable')),
    warned: having('warn'),
    areas: groupBy(report.requirements, (requirement) => requirement.area),
    requirementOf: (check) => requirements.get(check.requirement),
    findCheck: (id) => checks.get(id),
    knownFailure: ({ id }) => report.gate?.known.find(({ checks: covered }) => covered.includes(id)),
    isAccepted: ({ id }) => accepted.has(id),
    findExchange: (id) => evidence.get(id),
    decisiveExchange: (check) => evidence.get(check.decisive[0] ?? check.exchanges.at(-1)?.id ?? ''),
    scriptFile,
    checksToRepeat: ({ id, decisive }) => {
      const owners = decisive.flatMap((exchange) => evidence.get(exchange)?.check ?? []);
      return [...new Set([id, ...owners.filter((owner) => checks.has(owner))])].slice(0, MAX_REPEATED);
    },
    curlCommand: (exchange) => curlCommand(exchange, report.target.secretVariables),
  };
}
