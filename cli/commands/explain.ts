import { readFileSync } from 'node:fs';
import { extname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { unknownNameHint } from '../../engine/run/select-checks.ts';
import { packageRoot } from '../../engine/runtime/package-info.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { uncatchableChecks } from '../../reference/faults/uncatchable-checks.ts';
import { derivationText } from '../../reporting/text/requirement-text.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import type { Requirement } from '../../specs/catalogue/requirement.ts';
import { checksOfProfile, profileNames } from '../../specs/catalogue/selection.ts';
import { allChecks, suites } from '../../suites/all.ts';
import { ruleFiles } from '../../suites/every-exchange/all-rules.ts';
import { nonEmptyParser } from '../options/option-values.ts';

/** `.ts` for the sources, `.js` for built code. */
const FILE_EXTENSION = extname(fileURLToPath(import.meta.url));

export const explainCommand = new Command('explain')
  .description(
    'explain a requirement or a check: statement, place in the contract, level, needs, file, and the faults that prove it',
  )
  .argument('<id>', 'AUTH-03 or AUTH-03.wrong', nonEmptyParser('name a requirement or a check, such as AUTH-03'))
  .addHelpText('after', '\nExamples:\n  $ conformance explain LIFE-02\n  $ conformance explain LIFE-02.draft-approve')
  .action((id: string) => {
    const wanted = id.toLowerCase();
    const found = requirements.find((entry) => entry.id.toLowerCase() === wanted.split('.')[0]);
    const known = found && (!wanted.includes('.') || found.checks.some((check) => check.id.toLowerCase() === wanted));
    if (!known) throw new ConfigurationError(`${id}: no requirement or check has this id; ${unknownNameHint(id)}`);
    console.log(formatRequirement(found, wanted.includes('.') ? wanted : null));
  });

function formatRequirement(entry: Requirement, only: string | null): string {
  const checks = entry.checks.filter(({ id }) => only === null || id.toLowerCase() === only);
  return [
    `${entry.id}  ${entry.statement}`,
    `  contract      ${entry.place}`,
    ...entry.derived.map((each) => `  derived       ${derivationText(each)}`),
    `  level         ${LEVELS[entry.level]}`,
    ...(entry.unjudged ? [`  not judged    ${entry.unjudged}`] : []),
    ...entry.observations.map((observation) => `  recorded as   ${observation}`),
    ...checks.flatMap(({ id, title }) => [
      '',
      `  ${id}`,
      `    ${title}`,
      `    file: ${sourceLocation(id)}`,
      ...needsLines(id),
      ...faultLines(id),
      `    profiles: ${profilesWith(id).join(', ')}`,
    ]),
  ].join('\n');
}

const LEVELS: Record<Requirement['level'], string> = {
  required: 'required: the contract says so; a breach fails the run',
  implied: 'implied: deduced from the contract; a breach is a warning, and a failure with --strict',
  observed: 'observed: the contract leaves it open; recorded, never judged',
};

/** `suites/lifecycle/rejected-actions.ts:38`: the line of the id, or of the list if a table generates the check. */
function sourceLocation(id: string): string {
  const files = Object.entries<readonly { id: string }[]>({ ...suites, ...ruleFiles });
  const [path = ''] = files.find(([, checks]) => checks.some((check) => check.id === id)) ?? [];
  const file = fileURLToPath(new URL(`../../suites/${path}${FILE_EXTENSION}`, import.meta.url));
  const lines = readFileSync(file, 'utf8').split('\n');
  const literal = lines.findIndex((line) => line.includes(`'${id}'`));
  const at = literal >= 0 ? literal : lines.findIndex((line) => line.startsWith('export const'));
  return `${relative(packageRoot, file)}:${at + 1}`;
}

function faultLines(id: string): string[] {
  const faults = allFaults.filter(({ caughtBy }) => (caughtBy as readonly string[]).includes(id));
  const reason = uncatchableChecks.find(({ check }) => check === id)?.reason;
  return [
    ...faults.map(({ id: fault, defect }) => `    catches fault: ${fault}: ${defect}`),
    ...(reason === undefined ? [] : [`    no fault: ${reason}`]),
  ];
}

function needsLines(id: string): string[] {
  const check = allChecks.find((each) => each.id === id);
  if (!check) return ['    judged on every exchange of the run'];
  return check.needs.length === 0 ? [] : [`    needs: ${[...new Set(check.needs)].join(', ')}`];
}

function profilesWith(id: string): string[] {
  return profileNames.filter((name) => checksOfProfile(name).some((each) => each === id));
}
