import { Command } from 'commander';
import { ConfigurationFault } from '../engine/model/configuration-error.ts';
import { hintFor } from '../engine/run/select-checks.ts';
import { derivationText } from '../reporting/requirement-text.ts';
import { requirements } from '../specs/catalogue.ts';
import type { Requirement } from '../specs/requirement.ts';
import { checksOfProfile, profileNames } from '../specs/selection.ts';
import { allChecks } from '../suites/all.ts';
import { notEmpty } from './option-values.ts';

export const explainCommand = new Command('explain')
  .description('explain a requirement or a check: its sentence, its level, what it needs')
  .argument('<id>', 'AUTH-03 or AUTH-03.wrong', notEmpty('name a requirement or a check, such as AUTH-03'))
  .addHelpText('after', '\nExamples:\n  $ conformance explain LIFE-02\n  $ conformance explain LIFE-02.draft-approve')
  .action((id: string) => {
    const wanted = id.toLowerCase();
    const found = requirements.find((entry) => entry.id.toLowerCase() === wanted.split('.')[0]);
    const known = found && (!wanted.includes('.') || found.checks.some((check) => check.id.toLowerCase() === wanted));
    if (!known) throw new ConfigurationFault(`${id}: no requirement or check has this id; ${hintFor(id)}`);
    console.log(describe(found, wanted.includes('.') ? wanted : null));
  });

function describe(entry: Requirement, only: string | null): string {
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
      ...needsOf(id),
      `    profiles: ${profilesWith(id).join(', ')}`,
    ]),
  ].join('\n');
}

const LEVELS: Record<Requirement['level'], string> = {
  required: 'required: the contract says so; a breach fails the run',
  implied: 'implied: a reader must infer it; a breach is a warning, and a failure with --strict',
  observed: 'observed: the contract leaves it open; recorded, never judged',
};

function needsOf(id: string): string[] {
  const check = allChecks.find((each) => each.id === id);
  if (!check) return ['    judged on every exchange of the run'];
  return check.needs.length === 0 ? [] : [`    needs: ${[...new Set(check.needs)].join(', ')}`];
}

function profilesWith(id: string): string[] {
  return profileNames.filter((name) => checksOfProfile(name).some((each) => each === id));
}
