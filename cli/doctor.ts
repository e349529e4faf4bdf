import { Command } from 'commander';
import { isShown } from '../engine/answer.ts';
import { missingField, type Need } from '../engine/capabilities.ts';
import { Client } from '../engine/client.ts';
import { type Preflight, preflight } from '../engine/preflight.ts';
import { Redactor } from '../engine/redaction.ts';
import { isLoopback } from '../engine/target/load.ts';
import { concealTarget } from '../engine/target/secrets.ts';
import { logText } from '../reporting/visible.ts';
import { withoutForbidden } from '../specs/selection.ts';
import { OPERATION_NAMES, type Target } from '../specs/target.ts';
import { allChecks } from '../suites/all.ts';
import { EXIT } from './exit-codes.ts';
import { probe } from './probe.ts';
import { readProof } from './read-proof.ts';
import { checksOf, type SelectionOptions, withSelectionOptions } from './selection-options.ts';
import { type TargetOptions, targetOf, withTargetOptions } from './target-options.ts';

export const doctorCommand = withSelectionOptions(
  withTargetOptions(new Command('doctor').description('prove a target file, without judging anything')),
)
  .option('--probe', 'also create one invoice over the connection and remove it again', false)
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance doctor --target staging.yaml\n  $ conformance doctor --target staging.yaml --probe',
  )
  .action(async (options: TargetOptions & SelectionOptions & { probe: boolean }) => {
    const target = await targetOf(options);
    const redactor = new Redactor();
    concealTarget(target, redactor);
    const stop = new AbortController().signal;
    const journal = { longestBody: 0, write: () => {} };
    const client = new Client({
      target,
      journal,
      redactor,
      stop,
      onAnswer: () => {},
      idPrefix: 'd',
      mutations: options.probe,
      patienceMs: 0,
    });
    const found = await preflight(target, client);
    const proved = [
      ...connection(target, found),
      '',
      ...actors(found),
      '',
      ...operations(target, await readProof(target, client)),
      '',
    ];
    console.log(proved.map(logText).join('\n'));
    if (options.probe) console.log(`${logText(await probe(target, found.organizations, client))}\n`);
    console.log(untested(target, found, options).join('\n'));
    await client.close();
    process.exitCode = EXIT.conformant;
  });

const LARGE_SKEW_MS = 60_000;
/** A Date header has whole seconds. */
const DATE_GRAIN_S = 2;

function connection(target: Target, { clockSkewMs }: Preflight): string[] {
  const secure = target.baseUrl.startsWith('https:');
  const tls = secure
    ? 'yes, certificate trusted'
    : isLoopback(target.baseUrl)
      ? 'no (loopback)'
      : 'NO: keys travel unprotected';
  const seconds = clockSkewMs === null ? null : Math.round(clockSkewMs / 1000);
  const clock =
    seconds === null
      ? 'the server sends no Date'
      : Math.abs(seconds) <= DATE_GRAIN_S
        ? 'agrees with this machine'
        : `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine`;
  const odd = clockSkewMs !== null && Math.abs(clockSkewMs) > LARGE_SKEW_MS ? '  (large)' : '';
  return [
    `target       ${target.name ?? ''} ${target.baseUrl}`,
    'reachable    yes',
    `TLS          ${tls}`,
    `clock        ${clock}${odd}`,
  ];
}

function actors({ actors: found }: Preflight): string[] {
  return found.map(({ actor, status, organization, source }) => {
    const said = status === null ? 'gives no answer' : `lists with ${status}`;
    const expected = actor === 'revoked' ? status === 401 : status !== null && isShown({ status });
    const word = expected ? 'as expected' : 'UNEXPECTED';
    const whose = organization ? `organization ${organization} (from ${source})` : 'organization unknown';
    return `actor        ${actor.padEnd(11)} ${said}, ${word}; ${whose}`;
  });
}

function operations(target: Target, read: string | null): string[] {
  return OPERATION_NAMES.map((name) => {
    const bound = target.operations[name];
    const proof = name === 'read' && read !== null ? `  ${read}` : '';
    return `operation    ${name.padEnd(17)} ${bound ? `${bound.method} ${bound.path}${proof}` : 'not bound'}`;
  });
}

function untested(target: Target, { organizations }: Preflight, options: SelectionOptions): string[] {
  const { selected, excluded } = withoutForbidden(checksOf(options), target.allow);
  const chosen = new Set(selected);
  const blocked = new Map<string, number>();
  for (const { id, needs } of allChecks) {
    const lacking = chosen.has(id)
      ? needs.map((need: Need) => missingField(need, target, organizations)).find((field) => field !== null)
      : null;
    if (lacking) blocked.set(lacking, (blocked.get(lacking) ?? 0) + 1);
  }
  const lines = [...blocked].map(
    ([field, count]) => `untested     ${String(count).padStart(3)} checks: ${field} is missing`,
  );
  for (const reason of new Set(excluded.map((each) => each.reason))) {
    const count = excluded.filter((each) => each.reason === reason).length;
    lines.push(`left out     ${String(count).padStart(3)} checks: ${reason.replace(' of the target file', '')}`);
  }
  const all = [...blocked.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...lines,
    `${selected.length - all} of ${selected.length} checks of the profile ${options.profile} can be put to this target`,
  ];
}
