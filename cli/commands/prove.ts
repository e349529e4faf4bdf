import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { unknownNameHint } from '../../engine/run/select-checks.ts';
import { kit } from '../../engine/runtime/package-info.ts';
import { allFaults } from '../../reference/faults/all.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import { uncatchableChecks } from '../../reference/faults/uncatchable-checks.ts';
import type { ConformingServer } from '../../reference/overrides/server-overrides.ts';
import { catalogueDigest, checkCatalogue, isCheckId } from '../../specs/catalogue/catalogue.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import { EXIT } from '../../specs/exit-codes.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { parseCommaList } from '../options/selection-options.ts';
import { assertOutputFolder } from '../output/output-folder.ts';
import { assertTemporaryFolder } from '../processes/temporary-folder.ts';
import { writeCascade } from '../prove/cascade/cascade-files.ts';
import { findExamination, findVerdicts } from '../prove/outcomes.ts';
import { proofPage } from '../prove/page.ts';
import { compositionId, createPairsProof, createRowProof, pairRows, quickRows } from '../prove/pairs/pairs.ts';
import {
  checksNotPassed,
  createFaultProof,
  createVariationProof,
  findGaps,
  isCaught,
  summarizeNotPassed,
  uncaughtChecks,
} from '../prove/proof-result.ts';
import {
  type FaultProof,
  type PairsProof,
  type Proof,
  proof as proofSchema,
  type RowProof,
  type VariationProof,
} from '../prove/schema.ts';
import { checksForFault, conformingServers, withSmokeChecks } from '../prove/servers.ts';
import type { ProofJob } from '../prove/worker.ts';
import { runInWorkers, type ServerOutcome } from '../prove/worker-pool.ts';

/** Limit of the search for the variations that make a composition fail; each step of the search is at least one whole run. */
const MAX_QUICK_SEARCH_MS = 60_000;

interface ProveOptions {
  check?: string[];
  fault?: string[];
  variation?: string[];
  pairs: boolean;
  quick: boolean;
  out?: string;
}

export const proveCommand = new Command('prove')
  .description(
    'prove the kit: every fault of the catalogue is caught, every check can fail, every conforming server passes',
  )
  .option(
    '--check <ids>',
    'only these checks: run the faults that name them, and every variation against these checks',
    parseCommaList,
  )
  .option(
    '--fault <ids>',
    'only these faults, separated by commas; a part of an id selects all faults whose id contains it',
    parseCommaList,
  )
  .option(
    '--variation <ids>',
    'only these variations, separated by commas; "plain" is the unchanged reference service',
    parseCommaList,
  )
  .option('--pairs', 'only the compositions; together they contain every pair of compatible variations', false)
  .option(
    '--quick',
    'run each fault against the checks that it names, and each variation once, most in compositions; run the rest only if the result is in doubt',
    false,
  )
  .option(
    '-o, --out <dir>',
    'folder for proof.json and proof.html (default: reports/proof)',
    nonEmptyParser('name a folder'),
  )
  .addHelpText(
    'after',
    `
Examples:
  $ conformance prove                              every fault and every variation against every check
  $ conformance prove --quick                      sooner: faults against the checks they name, each variation once
  $ conformance prove --check LIST-05.above-maximum   one check: its faults, and every variation against it
  $ conformance prove --fault list-total-of-page   the faults whose id contains this
  $ conformance prove --variation plain            only the unchanged reference service
  $ conformance prove --pairs                      only the compositions of variations

Exit codes: 0 no gap · 1 a fault was missed, a check cannot fail or a conforming server did not pass · 2 wrong command`,
  )
  .action(async ({ check, fault, variation, pairs, quick, out = join('reports', 'proof') }: ProveOptions) => {
    assertOutputFolder(out);
    assertTemporaryFolder();
    if (check && (fault ?? variation ?? (pairs || undefined))) {
      throw new ConfigurationError('--check: cannot be combined with --fault, --variation or --pairs; leave them out');
    }
    const only = check && parseCheckIds(check);
    const narrowed = only !== undefined || fault !== undefined || variation !== undefined || pairs;
    const faults = only ? findFaults(only) : selectById(allFaults, fault, narrowed, '--fault');
    const variations = only ? conformingServers : selectById(conformingServers, variation, narrowed, '--variation');
    const started = performance.now();
    const rows = findRows({ pairs, narrowed, quick });
    const outcomes = await judgeServers(faults, variations, rows, {
      quick: quick || only !== undefined,
      ...(only && { only }),
    });
    const faultProofs = faults.map((each) => createFaultProof(each, findVerdicts(outcomes, 'fault', each.id)));
    const variationProofs = variations.map((each) =>
      createVariationProof(each, findVerdicts(outcomes, 'variation', each.id)),
    );
    const rowProofs: RowProof[] = [];
    const until = quick ? performance.now() + MAX_QUICK_SEARCH_MS : Number.POSITIVE_INFINITY;
    for (const row of rows) {
      const judged = findVerdicts(outcomes, 'composition', compositionId(row));
      const held = checksNotPassed(judged);
      if (held.length > 0) {
        console.error(
          `a composition of ${row.length} variations: ${summarizeNotPassed(held)}; searching for the variations that cause this`,
        );
      }
      rowProofs.push(await createRowProof(row, judged, until));
    }
    const proved = assembleProof(faultProofs, variationProofs, rows.length > 0 ? createPairsProof(rowProofs) : null, {
      narrowed,
      ...(only && { only }),
      quick,
      durationMs: Math.round(performance.now() - started),
    });
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'proof.json'), `${JSON.stringify(proofSchema.parse(proved), null, 2)}\n`);
    writeFileSync(join(out, 'proof.html'), proofPage(proved));
    if (!quick) {
      writeCascade(
        out,
        faults.map((fault) => ({ fault, ...findExamination(outcomes, 'fault', fault.id) })),
        variations.map(({ id }) => findExamination(outcomes, 'variation', id)),
      );
    }
    console.log(proofSummary(proved, out));
    process.exitCode = proved.gaps.length === 0 ? EXIT.conformant : EXIT.failed;
  });

/** The compositions to judge: all of them, or for a quick proof those that judge most variations once. */
function findRows({ pairs, narrowed, quick }: { pairs: boolean; narrowed: boolean; quick: boolean }) {
  if (pairs) return pairRows();
  if (narrowed) return [];
  return quick ? quickRows() : pairRows();
}

/** The checks that `--check` names. */
function parseCheckIds(ids: readonly string[]): CheckId[] {
  return ids.map((id) => {
    if (isCheckId(id)) return id;
    throw new ConfigurationError(`--check: no check has the id ${id}; ${unknownNameHint(id)}`);
  });
}

function findFaults(checks: readonly CheckId[]): Fault[] {
  return allFaults.filter(({ caughtBy }) => caughtBy.some((id) => checks.includes(id)));
}

function selectById<T extends { id: string }>(
  all: readonly T[],
  wanted: readonly string[] | undefined,
  narrowed: boolean,
  option: string,
): readonly T[] {
  if (!wanted) return narrowed ? [] : all;
  for (const part of wanted) {
    if (!all.some(({ id }) => id.includes(part))) throw new ConfigurationError(`${option}: no id contains ${part}`);
  }
  const exact = all.filter(({ id }) => wanted.includes(id));
  return exact.length === wanted.length ? exact : all.filter(({ id }) => wanted.some((part) => id.includes(part)));
}

async function judgeServers(
  faults: readonly Fault[],
  honest: readonly ConformingServer[],
  rows: readonly (readonly string[])[],
  { quick, only }: { quick: boolean; only?: readonly CheckId[] },
): Promise<ServerOutcome[]> {
  const everything = only ? withSmokeChecks(only) : checksOfProfile('full');
  const alone = (ids: readonly string[]): ProofJob[] =>
    ids.map((id) => ({ kind: 'variation', id, checks: everything }));
  const rowOf = (id: string) => (quick ? rows.find((row) => row.includes(id)) : undefined);
  const showing = (fault: Fault) => (fault.judgedByNamedChecksOnly || quick ? checksForFault(fault) : everything);
  const jobFor = (fault: Fault): ProofJob => ({ kind: 'fault', id: fault.id, checks: showing(fault) });
  // The slowest servers go first, so that none of them runs alone at the end.
  const byEffort = [...faults].sort((one, other) => expectedEffort(other) - expectedEffort(one));
  const first = await judgeWithProgress([
    ...byEffort.filter(waitsForWindows).map(jobFor),
    ...rows.map((row) => ({ kind: 'composition' as const, id: compositionId(row), checks: everything })),
    ...alone(honest.map(({ id }) => id).filter((id) => !rowOf(id))),
    ...byEffort.filter((fault) => !waitsForWindows(fault)).map(jobFor),
  ]);
  if (!quick) return first;
  // A variation passes if its composition passes. Otherwise it runs alone.
  const inCompany = honest.flatMap(({ id }) => {
    const row = rowOf(id);
    if (!row) return [];
    return [{ ...findExamination(first, 'composition', compositionId(row)), name: { kind: 'variation' as const, id } }];
  });
  const passed = inCompany.filter(({ judged }) => checksNotPassed(judged).length === 0);
  const doubtful = inCompany.filter((each) => !passed.includes(each)).map(({ name }) => name.id);
  const missedIn = (found: readonly ServerOutcome[]) =>
    faults.filter((fault) => !isCaught(createFaultProof(fault, findVerdicts(found, 'fault', fault.id))));
  // Responses of a busy machine may be too late to show a defect. Few servers run at the same time here.
  const second = await judgeWithProgress(
    [...missedIn(first).map(jobFor), ...alone(doubtful)],
    'once more, with fewer servers at the same time',
  );
  // Some faults only turn their checks red together with checks that the fault does not name.
  const hidden = missedIn([...second, ...first]).filter(({ traffic }) => traffic !== 'full');
  const third = await judgeWithProgress(
    hidden.map(({ id }): ProofJob => ({ kind: 'fault', id, checks: everything })),
    'once more, with every check',
  );
  return [...third, ...second, ...passed, ...first];
}

/** A check of a rate limit waits for the end of a window, longer than any other check takes. */
function waitsForWindows({ requirement }: Fault): boolean {
  return requirement.startsWith('RATE-');
}

/** Faults in lists take longer, because a check repeats a suspicious list before it reports a breach. */
function expectedEffort({ traffic, requirement }: Fault): number {
  if (traffic) return traffic === 'full' ? 3 : 2;
  return requirement.startsWith('LIST-') ? 1 : 0;
}

async function judgeWithProgress(jobs: readonly ProofJob[], reason?: string): Promise<ServerOutcome[]> {
  const outcomes: ServerOutcome[] = [];
  if (reason && jobs.length > 0) console.error(`${reason}: ${jobs.map(({ id }) => id).join(', ')}`);
  await runInWorkers(jobs, (outcome) => {
    outcomes.push(outcome);
    if (outcomes.length % 25 === 0) console.error(`${outcomes.length}/${jobs.length} servers`);
  });
  return outcomes;
}

function assembleProof(
  faults: FaultProof[],
  variations: VariationProof[],
  pairs: PairsProof | null,
  {
    narrowed,
    only,
    quick,
    durationMs,
  }: Pick<Proof, 'narrowed' | 'quick' | 'durationMs'> & { only?: readonly CheckId[] },
): Proof {
  const checks = [...checkCatalogue.keys()];
  const unreachable = new Set<string>(uncatchableChecks.map(({ check }) => check));
  const judged = only ?? (narrowed ? [] : checks);
  const alive = uncaughtChecks(faults, judged).filter((id) => !unreachable.has(id));
  return {
    schemaVersion: 1,
    kit: { name: kit.name, version: kit.version },
    catalogue: catalogueDigest,
    finishedAt: new Date().toISOString(),
    durationMs,
    quick,
    narrowed,
    checks,
    faults,
    variations,
    pairs,
    alive,
    beyondReach: [...uncatchableChecks],
    gaps: findGaps(faults, variations, pairs?.rows ?? [], alive),
  };
}

function proofSummary(
  { gaps, faults, variations, pairs, checks, alive, narrowed, quick, ...proved }: Proof,
  out: string,
): string {
  const caught = faults.filter(isCaught).length;
  const passed = variations.filter(({ held }) => held.length === 0).length;
  const reachable = checks.length - proved.beyondReach.length;
  const killed = narrowed ? [] : [`checks proved ${reachable - alive.length}/${reachable}`];
  const parts = [
    `faults caught ${caught}/${faults.length}`,
    ...killed,
    `variations passed ${passed}/${variations.length}`,
    ...(pairs ? [quick ? compositionCount(pairs) : `pairs passed ${pairs.passed}/${pairs.all}`] : []),
  ];
  const seconds = (proved.durationMs / 1000).toFixed(1);
  return [
    ...gaps.map((gap) => `gap: ${gap}`),
    `${parts.join(', ')} (${seconds} s)`,
    `proof ${join(out, 'proof.html')}`,
  ].join('\n');
}

function compositionCount({ rows }: PairsProof): string {
  return `compositions passed ${rows.filter(({ held }) => held.length === 0).length}/${rows.length}`;
}
