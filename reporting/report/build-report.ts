import { readSignatures } from '../../specs/fault-signatures.ts';
import { SCHEMA_VERSION } from '../../specs/formats/journal.ts';
import type { CheckReport, Report, RequirementReport } from '../../specs/formats/report.ts';
import { CHECK_VERDICTS, type CheckVerdict, isRed, type RequirementVerdict } from '../../specs/verdicts.ts';
import { findCauses } from '../causes/find-causes.ts';
import { collectEvidence, type Evidence } from '../journal/evidence.ts';
import { indexJournal, type JournalIndex } from '../journal/journal-index.ts';
import type { JournalSource, SlimRecords } from '../journal/read-journal.ts';
import { differencesOf } from '../reproduction/differences.ts';
import { RecordedChanges } from '../reproduction/recorded-changes.ts';
import { reproduce } from '../reproduction/reproduce.ts';
import { MAX_TEXT_LENGTH, truncate } from '../text/escape-control-characters.ts';
import { groupBy } from '../text/group-by.ts';
import { compareChecks } from './coverage.ts';
import { customChecksOf, reportCustomAreas } from './custom-areas.ts';
import { judgeGate } from './gate.ts';
import { exceptionsOf, notesOf } from './headline.ts';
import { judgeRequirement, judgeRun } from './verdict.ts';

const ENDED_EARLY_REASON = 'the journal has no footer: the run ended early';

/**
 * Builds the report of a journal, as a pure function of its records; rejects with a JournalError if they are invalid. Reads them twice
 * instead of keeping all in memory, and needs only outlines of the exchanges for the first pass.
 */
export async function buildReport(
  source: JournalSource,
  outlines: JournalSource<SlimRecords> = source,
): Promise<Report> {
  const survey = await indexJournal(outlines());
  const failed = new Set([...survey.results.values()].filter(isRed).map(({ id }) => id));
  const changes = new RecordedChanges(failed);
  const evidence = await collectEvidence(source, survey, (exchange) => changes.add(exchange));
  const { header, footer } = survey;

  const interrupted = footer === null ? ENDED_EARLY_REASON : footer.interrupted;
  const finishedAt = footer?.finishedAt ?? survey.lastRecordAt;
  const judgedChecks = reportChecks(survey, evidence, interrupted);
  const requirements = reportRequirements(survey, judgedChecks);
  const checks = withEvidenceOfFailures(judgedChecks, { survey, evidence, requirements, changes });
  const [exceptions, notes] = [exceptionsOf(header), notesOf(header)];
  const custom = reportCustomAreas(survey);
  const gate = judgeGate(header, checks, interrupted, customChecksOf(custom));
  const judgement = judgeRun({ ...header.run, exceptions, notes, interrupted, checks, gate });

  return {
    schemaVersion: SCHEMA_VERSION,
    kit: header.kit,
    run: { ...header.run, finishedAt, interrupted },
    target: header.target,
    catalogue: { digest: header.catalogue.digest },
    verdict: judgement.verdict,
    headline: judgement.headline,
    exceptions,
    notes,
    verdictReason: judgement.reason,
    gate,
    exitCode: judgement.exitCode,
    summary: {
      checks: countVerdicts(checks),
      requirements: countVerdicts(requirements.filter((requirement) => requirement.checks.length > 0)),
      selected: checks.length,
      executed: checks.filter((check) => check.executed).length,
      exchanges: survey.exchangeCount,
      durationMs: Math.max(0, Date.parse(finishedAt) - Date.parse(header.run.startedAt)),
    },
    ...diagnose(checks, requirements),
    requirements,
    checks,
    custom,
    timings: survey.timings,
    certification: header.certification ?? null,
    excluded: header.excluded,
    coverage: reportCoverage(survey, checks),
    observations: reportObservations(survey),
    leftovers: survey.leftovers.map(({ what, id, reason }) => ({ what, id: truncate(id, MAX_TEXT_LENGTH), reason })),
    removed: survey.removed.map(({ what, count }) => ({ what, count })),
    withdrawn: survey.withdrawn && { sum: survey.withdrawn.sum, runsLeft: survey.withdrawn.runsLeft },
    evidence: [...evidence.full],
  };
}

function reportChecks(
  { header, results, summaries }: JournalIndex,
  evidence: Evidence,
  interrupted: string | null,
): CheckReport[] {
  const selected = new Set(header.selected);
  const unexecuted = `not executed: the run ended before it${interrupted === null ? '' : ` (${interrupted})`}`;
  return header.catalogue.requirements.flatMap((requirement) =>
    requirement.checks
      .filter((check) => selected.has(check.id))
      .map((check): CheckReport => {
        const result = results.get(check.id);
        const exchanges = result?.exchanges ?? evidence.unfinished.get(check.id) ?? [];
        return {
          id: check.id,
          requirement: requirement.id,
          title: check.title,
          level: requirement.level,
          verdict: result?.verdict ?? 'blocked',
          executed: result !== undefined,
          reason: truncate(result?.reason ?? unexecuted, MAX_TEXT_LENGTH),
          expected: truncate(result?.expected ?? '', MAX_TEXT_LENGTH),
          actual: truncate(result?.actual ?? '', MAX_TEXT_LENGTH),
          blockedBy: result?.blockedBy ?? null,
          disturbed: result?.disturbed ?? false,
          durationMs: result?.durationMs ?? 0,
          exchanges: summaries.inOrder(exchanges),
          decisive: [...(result?.decisive ?? [])],
          differences: [],
          setUp: [],
          reproduction: null,
        };
      }),
  );
}

/** Adds the differences and the script of each failure. */
function withEvidenceOfFailures(
  checks: readonly CheckReport[],
  { survey, evidence, requirements, changes }: ReproducedRun,
): CheckReport[] {
  const full = new Map(evidence.full.map((exchange) => [exchange.id, exchange]));
  const { header, results } = survey;
  const context = {
    header,
    changes,
    requirements: new Map(requirements.map((requirement) => [requirement.id, requirement])),
    findExchange: (id: string) => full.get(id),
  };
  return checks.map((check) => {
    const result = results.get(check.id);
    if (!result || !isRed(check)) return check;
    const deciding = full.get(result.decisive[0] ?? '');
    const { steps, ...reproduction } = reproduce(result, check, context);
    const own = new Set(check.exchanges.map(({ id }) => id));
    return {
      ...check,
      differences: differencesOf(result.expectation, deciding, context.findExchange),
      setUp: survey.summaries.inOrder(steps.filter((id) => !own.has(id))),
      reproduction,
    };
  });
}

interface ReproducedRun {
  readonly survey: JournalIndex;
  readonly evidence: Evidence;
  readonly requirements: readonly RequirementReport[];
  readonly changes: RecordedChanges;
}

/** Reads the known defects only if there is something to explain. */
function diagnose(checks: readonly CheckReport[], requirements: readonly RequirementReport[]) {
  return checks.some(isRed) ? findCauses({ checks, requirements }, readSignatures()) : { causes: [], unexplained: [] };
}

function reportCoverage({ header }: JournalIndex, checks: CheckReport[]): Report['coverage'] {
  const { previous, excluded } = header;
  if (previous === undefined) return null;
  return {
    previous: previous.id,
    startedAt: previous.startedAt,
    ...compareChecks(previous.judged, { checks, excluded }),
  };
}

function reportRequirements({ header }: JournalIndex, checks: readonly CheckReport[]): RequirementReport[] {
  const byRequirement = groupBy(checks, (check) => check.requirement);
  const exclusions = new Map(header.excluded.map(({ check, reason }) => [check, reason]));
  return header.catalogue.requirements.map((requirement) => {
    const { id, area, place, level, statement, derived, fixes } = requirement;
    const selected = byRequirement.get(id) ?? [];
    const exclusion = requirement.checks
      .map((check) => exclusions.get(check.id))
      .find((reason) => reason !== undefined);
    const judgement = judgeRequirement(requirement, selected, exclusion);
    return {
      ...{ id, area, place, level, statement, derived, fixes },
      ...judgement,
      checks: selected.map((check) => check.id),
    };
  });
}

/** In catalogue order. An observation with several values keeps all of them, because the server did not behave uniformly. */
type Observation = Report['observations'][number];

function reportObservations({ header, observations }: JournalIndex): Report['observations'] {
  const order = header.catalogue.requirements.flatMap((requirement) => requirement.observations);
  const distinct = new Map(observations.map((seen) => [JSON.stringify([seen.id, seen.value]), seen]));
  const place = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...distinct.entries()]
    .sort(([a, first], [b, second]) => place(first.id) - place(second.id) || (a < b ? -1 : 1))
    .map(([, { id, question, value }]) => ({ id, question, value: truncateValue(value) }));
}

function truncateValue(value: Observation['value']): Observation['value'] {
  const text = JSON.stringify(value);
  return text.length > MAX_TEXT_LENGTH ? truncate(text, MAX_TEXT_LENGTH) : value;
}

function countVerdicts(judged: readonly { verdict: RequirementVerdict }[]): Record<CheckVerdict, number> {
  const counted = CHECK_VERDICTS.map((verdict) => [verdict, judged.filter((one) => one.verdict === verdict).length]);
  return Object.fromEntries(counted) as Record<CheckVerdict, number>;
}
