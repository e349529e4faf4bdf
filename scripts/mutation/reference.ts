import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Stryker } from '@stryker-mutator/core';
import { matchingFiles, writeResult } from './files.ts';
import { NOT_JUDGED } from './not-judged.ts';
import { formatMutants, isAlive, type MutantResult } from './survivors.ts';

const RULES = 'reference/rules';
/** A server with a defect can make a run of the kit several times as long. */
const MAX_RUN_MS = 300_000;

/**
 * Mutates the rules of the reference service. The unit tests of the service say which mutants are wrong servers, and the suites judge
 * these. A mutant that the suites do not detect either breaks no sentence of the contract, or is a gap.
 */
export async function mutateReference(patterns: readonly string[] = [`${RULES}/*`]): Promise<void> {
  const files = readdirSync(RULES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${RULES}/${name}`)
    .sort();
  for (const file of matchingFiles(files, patterns)) {
    const started = performance.now();
    const wrong = (await runStryker([file], 'unit-tests')).filter(({ status }) => status === 'Killed');
    const keys = new Set(wrong.map(keyOf));
    // A range also selects the mutants inside of it.
    const all =
      wrong.length === 0
        ? []
        : await runStryker(
            wrong.map((each) => rangeOf(file, each)),
            'suites',
          );
    const judged = all.filter((each) => keys.has(keyOf(each)));
    const survivors = judged.filter(isAlive);
    const blocked = judged.filter(({ statusReason }) => statusReason?.includes(NOT_JUDGED));
    const endless = judged.filter(({ status }) => status === 'Timeout');
    const seconds = Math.round((performance.now() - started) / 1000);
    const detected = judged.length - survivors.length - blocked.length - endless.length;
    writeResult(file, [
      `${file}: the suites detect ${detected} of ${judged.length} wrong servers, ${seconds} s`,
      ...formatMutants(file, survivors),
      ...formatMutants(file, blocked).map((line) => `${line} (${NOT_JUDGED})`),
      ...formatMutants(file, endless).map((line) => `${line} (the run did not end)`),
    ]);
  }
}

async function runStryker(mutate: string[], judge: 'unit-tests' | 'suites'): Promise<MutantResult[]> {
  return await new Stryker({
    mutate,
    concurrency: availableParallelism(),
    timeoutMS: MAX_RUN_MS,
    vitest: { configFile: `tests/mutation/reference/${judge}.config.ts` },
  }).runMutationTest();
}

const positionOf = ({ location: { start, end } }: MutantResult) =>
  `${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;

const rangeOf = (file: string, mutant: MutantResult) => `${file}:${positionOf(mutant)}`;

const keyOf = (mutant: MutantResult) => `${positionOf(mutant)} ${mutant.replacement}`;
