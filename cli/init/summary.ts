import { describeBinding } from '../../engine/diagnosis/operation-binding.ts';
import { joinNames } from '../../reporting/text/wording.ts';
import { ACTOR_NAMES, OPERATION_NAMES, type OperationName } from '../../specs/target-file/target.ts';
import { type GivenActors, hasCredentials, variableFor } from './given-values.ts';
import type { Inspection } from './inspection.ts';
import type { StoredSecrets } from './secrets/secret-storage.ts';
import { writtenActors } from './target-template.ts';

/** The operations that the template leaves as comments until init has found them. */
const OPTIONAL_OPERATIONS: ReadonlySet<OperationName> = new Set([
  'treasuryBalance',
  'treasuryWithdraw',
  'webhookList',
  'webhookDelete',
]);

export interface Summary {
  file: string;
  given: GivenActors;
  inspection: Inspection;
  stored: StoredSecrets | null;
}

/** What init has written and found, and what is still missing: one line each. */
export function summaryLines(summary: Summary): string[] {
  const { file, stored, inspection } = summary;
  return [
    `Wrote ${file}.`,
    ...(stored === null ? [] : storageLines(stored)),
    '',
    ...foundLines(inspection).map((line) => `found        ${line}`),
    ...[...inspection.wrong, ...gitProblems(stored)].map((line) => `wrong        ${line}`),
    ...missingLines(summary).map((line) => `missing      ${line}`),
  ];
}

function storageLines({ file, values, isNarrowed, git }: StoredSecrets): string[] {
  const names = Object.keys(values);
  return [
    ...(names.length === 0
      ? []
      : [`Wrote ${joinNames(names, names.length)} to ${file}, which only its owner can read.`]),
    ...(isNarrowed ? [`Others could read ${file} before; its permissions are now 0600.`] : []),
    ...(git === 'added to .gitignore' ? [`Added ${file} to .gitignore.`] : []),
  ];
}

function gitProblems(stored: StoredSecrets | null): string[] {
  if (stored?.git === 'tracked') {
    return [`${stored.file}: git tracks this file; run git rm --cached on it, and add it to .gitignore`];
  }
  if (stored?.git === 'not ignored') {
    return [`${stored.file}: git does not ignore this file, and .gitignore cannot be written; add it there`];
  }
  return [];
}

function foundLines({ found, organizations, bindings }: Inspection): string[] {
  return [
    ...found,
    ...ACTOR_NAMES.flatMap((actor) =>
      organizations[actor] === undefined
        ? []
        : [`actors.${actor}.organizationId: ${organizations[actor]} (from existing invoices)`],
    ),
    ...OPERATION_NAMES.flatMap((name) => {
      const { template, comment = '' } = bindings[name] ?? {};
      return template === undefined ? [] : [`operations.${name}: ${describeBinding(template)} (${comment})`];
    }),
  ];
}

function missingLines({ given, inspection }: Summary): string[] {
  const written = writtenActors(given);
  const unset = ACTOR_NAMES.filter((actor) => written.has(actor)).flatMap((actor) => {
    const parts = (['key', 'secret'] as const).filter((part) => given[actor]?.[part] === undefined);
    const variables = parts.map((part) => variableFor(actor, part, given));
    return variables.length === 0 ? [] : [`actors.${actor}: set ${joinNames(variables)}`];
  });
  const absent = ACTOR_NAMES.filter((actor) => !written.has(actor));
  const unknown = (['seller', 'buyer'] as const).filter(
    (actor) =>
      inspection.isListed &&
      hasCredentials(given[actor]) &&
      // A rejected key shows no organization, and its own line says so.
      !inspection.wrong.some((line) => line.startsWith(`actors.${actor}:`)) &&
      !inspection.organizations[actor] &&
      !given[actor]?.organizationId,
  );
  const isBound = (name: OperationName) => inspection.bindings[name]?.template !== undefined;
  const usual = OPERATION_NAMES.filter((name) => !isBound(name) && !OPTIONAL_OPERATIONS.has(name));
  const unbound = OPERATION_NAMES.filter((name) => !isBound(name) && OPTIONAL_OPERATIONS.has(name));
  return [
    ...unset,
    ...(absent.length === 0 ? [] : [`actors.${absent.join(', ')}: remove the # in front, and set the variables`]),
    ...unknown.map((actor) => `actors.${actor}.organizationId: no listed invoice shows it; copy it from the dashboard`),
    ...(usual.length === 0
      ? []
      : [`operations.${usual.join(', ')}: have the usual paths; correct them for your server`]),
    ...(unbound.length === 0 ? [] : [`operations.${unbound.join(', ')}: remove the # in front, and correct the paths`]),
    'counterparties: remove the # in front, and write the ids of the two organizations',
    'name, implementation: are examples; write the names of your server',
  ];
}
