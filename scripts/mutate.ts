import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { Command } from 'commander';

/**
 * `npm run mutate -- --mutate helpers/api/request-template.ts 'helpers/lists/*.ts'`. Without --mutate, only files with their own
 * tests: servers alone judge the mutants of other files, which is slow.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const OUTPUT_FOLDER = 'reports/mutation';

const mutableFiles = [
  'reporting/report/verdict.ts',
  'engine/run/check-verdict.ts',
  ...readdirSync('helpers', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `helpers/${name}`),
];

const hasTests = (file: string) => existsSync(`tests/${file.replace(/\.ts$/, '.test.ts')}`);

const { mutate } = new Command()
  .option('--mutate <files...>', 'files, or patterns with *')
  .parse()
  .opts<{ mutate?: string[] }>();

const patterns = mutate?.map((each) => new RegExp(`^${each.replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
const files = patterns
  ? mutableFiles.filter((file) => patterns.some((pattern) => pattern.test(file)))
  : mutableFiles.filter(hasTests);
if (files.length === 0) throw new Error(`no file of ${mutableFiles.join(', ')} matches ${mutate?.join(' or ')}`);

const isTested = ({ status }: MutantResult) => status !== 'Ignored' && status !== 'CompileError';
const isAlive = ({ status }: MutantResult) => status === 'Survived' || status === 'NoCoverage';

/** One line for each mutant that no test detected: position, original text and replacement. */
function formatSurvivors(file: string, results: readonly MutantResult[]): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return results.filter(isAlive).map(({ location: { start, end }, mutatorName, replacement, status }) => {
    const line = lines[start.line - 1] ?? '';
    const was = line.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
    const reached = status === 'NoCoverage' ? ', never reached' : '';
    return `  ${file}:${start.line} ${mutatorName}${reached}: ${was} -> ${replacement.split('\n').join(' ')}`;
  });
}

mkdirSync(OUTPUT_FOLDER, { recursive: true });
for (const file of files) {
  const started = performance.now();
  // tests/mutation/subjects.ts reads it to select the servers.
  process.env.MUTATED = file;
  const results = (await new Stryker({ mutate: [file] }).runMutationTest()).filter(isTested);
  const killed = results.filter((each) => !isAlive(each)).length;
  const score = results.length === 0 ? 'no mutants' : `${((killed / results.length) * 100).toFixed(1)} %`;
  const seconds = Math.round((performance.now() - started) / 1000);
  const report = [
    `${file}: ${score} (${killed} of ${results.length}), ${seconds} s`,
    ...formatSurvivors(file, results),
  ];
  console.log(report.join('\n'));
  writeFileSync(`${OUTPUT_FOLDER}/${file.replaceAll('/', '-')}.txt`, `${report.join('\n')}\n`);
}
