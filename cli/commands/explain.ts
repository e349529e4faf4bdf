import { Command } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { unknownNameHint } from '../../engine/run/select-checks.ts';
import { derivationText, placeText } from '../../reporting/text/requirement-text.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import { derivationOf, type Requirement } from '../../specs/catalogue/requirement.ts';
import { readSignatures } from '../../specs/fault-signatures.ts';
import {
  checkLocation,
  faultsCaughtBy,
  LEVEL_MEANINGS,
  needsOf,
  profilesWith,
  uncatchableReason,
} from '../explain/check-facts.ts';
import { pageLink } from '../explain/page-link.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { anyTargetCommandLine } from '../processes/invocation.ts';

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
    const [first] = requirements.filter(({ area, id: each }) =>
      [area, each.split('-')[0]?.toLowerCase()].includes(wanted),
    );
    if (first)
      throw new ConfigurationError(
        `${id}: names a group of requirements; name one of them, such as ${first.id} ("conformance list" shows them all)`,
      );
    if (!known) throw new ConfigurationError(`${id}: ${unknownIdAdvice(id)}`);
    console.log(formatRequirement(found, wanted.includes('.') ? wanted : null));
  });

/** What an id that names no requirement and no check may be. */
function unknownIdAdvice(id: string): string {
  const fault = readSignatures().find((each) => each.fault === id.toLowerCase());
  if (fault)
    return `names a fault of the reference service; "conformance explain ${fault.requirement}" shows the checks that detect it`;
  return `no requirement or check has this id; ${unknownNameHint(id)}`;
}

function formatRequirement(entry: Requirement, only: string | null): string {
  const checks = entry.checks.filter(({ id }) => only === null || id.toLowerCase() === only);
  const derivations = only === null ? entry.derived : checks.flatMap(({ id }) => derivationOf(entry, id) ?? []);
  const [asked = entry.id] = only === null ? [] : checks.map(({ id }) => id);
  return [
    `${entry.id}  ${entry.statement}`,
    `  contract      ${placeText(entry.place)}`,
    ...derivations.map((each) => `  derived       ${derivationText(each)}`),
    `  level         ${LEVEL_MEANINGS[entry.level]}`,
    ...entry.fixes.map((fix) => `  usual fix     ${fix}`),
    ...(entry.unjudged ? [`  not judged    ${entry.unjudged}`] : []),
    ...entry.observations.map((observation) => `  recorded as   ${observation}`),
    ...checks.flatMap(({ id, title }) => [
      '',
      `  ${id}`,
      `    ${title}`,
      `    file: ${checkLocation(id)}`,
      ...needsLines(id),
      ...faultLines(id),
      `    profiles: ${profilesWith(id).join(', ')}`,
    ]),
    '',
    `  run           ${anyTargetCommandLine('run', ['--only', asked])}`,
    `  page          ${pageLink(entry, asked)}`,
  ].join('\n');
}

function faultLines(id: string): string[] {
  const reason = uncatchableReason(id);
  return [
    ...faultsCaughtBy(id).map(({ id: fault, defect }) => `    detects: ${fault}: ${defect}`),
    ...(reason === undefined ? [] : [`    no fault: ${reason}`]),
  ];
}

function needsLines(id: string): string[] {
  const needs = needsOf(id);
  if (needs === null) return ['    judged on every exchange of the run'];
  return needs.length === 0 ? [] : [`    needs: ${needs.join(', ')}`];
}
