import { existsSync, readdirSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { matchingFiles, writeResult } from './files.ts';
import { formatMutants, isAlive, isTested } from './survivors.ts';

const mutableFiles = [
  'reporting/report/verdict.ts',
  'engine/run/check-verdict.ts',
  ...readdirSync('helpers', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `helpers/${name}`),
];

const hasTests = (file: string) => existsSync(`tests/${file.replace(/\.ts$/, '.test.ts')}`);

/**
 * Mutates files of the kit. Without patterns, only files with their own tests: servers alone judge the mutants of other files, which
 * is slow.
 */
export async function mutateKit(patterns: readonly string[] | undefined): Promise<void> {
  const files = patterns ? matchingFiles(mutableFiles, patterns) : mutableFiles.filter(hasTests);
  for (const file of files) {
    const started = performance.now();
    // tests/mutation/subjects.ts reads it to select the servers.
    process.env.MUTATED = file;
    const results = (await new Stryker({ mutate: [file] }).runMutationTest()).filter(isTested);
    const survivors = results.filter(isAlive);
    const score =
      results.length === 0 ? 'no mutants' : `${((1 - survivors.length / results.length) * 100).toFixed(1)} %`;
    const seconds = Math.round((performance.now() - started) / 1000);
    writeResult(file, [
      `${file}: ${score} (${results.length - survivors.length} of ${results.length}), ${seconds} s`,
      ...formatMutants(file, survivors),
    ]);
  }
}
