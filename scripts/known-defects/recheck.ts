import { execFile } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { examineServer, type JudgedServer } from '../../cli/prove/judge-server.ts';
import { checksForFault } from '../../cli/prove/servers.ts';
import { signatureOf } from '../../cli/prove/signature.ts';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { allFaults } from '../../reference/faults/all.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import { startReference } from '../../reference/service/start.ts';
import { readJournal } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import { credentialVariable } from '../../reporting/text/curl.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import { readSignatures, type Signature } from '../../specs/fault-signatures.ts';
import type { CheckReport, Report } from '../../specs/formats/report.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { BoundTargetInput } from '../../specs/target-file/target.ts';
import { isRed } from '../../specs/verdicts.ts';
import { allChecks } from '../../suites/all.ts';
import { causesOfFailures } from './accuracy.ts';
import { unreproducibleFaults } from './unreproducible.ts';

/**
 * `npm run recheck` measures some signatures again, others each time, and executes the script of the first failure of each. The script
 * must reproduce the failure on the faulty server and not on the conforming one, or be inconclusive. `--every 3 --named-checks` does it
 * for a third of the faults, with the checks that they name only. Signatures serve the causes of a report: a changed one is a problem
 * if the report no longer names the requirement of the fault, and is printed otherwise.
 */
const {
  count,
  every,
  seed,
  fault: wanted,
  namedChecks,
} = new Command()
  .option('--count <n>', 'number of faults', Number, 6)
  .option('--every <n>', 'instead every nth fault', Number)
  .option('--seed <n>', 'selects the faults', Number, Math.floor(Date.now() / 1000) % 100_000)
  .option('--fault <ids>', 'only these faults', (ids) => ids.split(','))
  .option('--named-checks', 'only the checks that a fault names; does not compare signatures', false)
  .parse()
  .opts<{ count: number; every?: number; seed: number; fault?: string[]; namedChecks: boolean }>();

const MAX_CONCURRENT = 6;
/** A red check may depend on timing: one more or less, or a tenth of a long list. */
const tolerated = (size: number) => Math.max(1, Math.round(size / 10));

setMaxListeners(0);
/** The checks that reset the sandbox, which would end the keys that the scripts use. */
const resetChecks = new Set<string>(
  allChecks.filter(({ phase }) => phase === 'reset' || phase === 'production-reset').map(({ id }) => id),
);
const signatures = new Map(readSignatures().map((row) => [row.fault, row]));
const chosen = choose();
const problems: string[] = [];
const changes: string[] = [];
const wrongScripts: string[] = [];
/** Faults that are judged in another way than their signature says. */
interface Suspect {
  fault: Fault;
  changed: readonly string[];
}
const suspects: Suspect[] = [];
const scripts = { shown: 0, inconclusive: 0, absent: 0 };
/** The exit code of a script whose set-up is rejected, or that needs data of another sandbox. */
const INCONCLUSIVE = 2;
/** A recorded id in a path: the invoice exists in the sandbox of the run only. */
const RECORDED_ID = /\/[0-9a-f]{8}-[0-9a-f-]{27}/;
let next = 0;
await Promise.all(
  Array.from({ length: MAX_CONCURRENT }, async () => {
    for (let fault = chosen[next++]; fault; fault = chosen[next++]) await recheck(fault);
  }),
);
for (const suspect of suspects) await measureAgain(suspect);
for (const line of [...problems, ...wrongScripts, ...changes]) console.log(line);
console.log(
  `${chosen.length} known defects (seed ${seed}): ${scripts.shown} scripts show the failure on the faulty server only, ` +
    `${wrongScripts.length} are wrong, ${scripts.inconclusive} are inconclusive, ${scripts.absent} failures have no script; ` +
    `${changes.length} signatures have changed, ${problems.length} known defects are not named or not detected`,
);
// Some defects depend on the time or on requests of other checks, which no script repeats.
const areScriptsRight = wrongScripts.length <= Math.max(1, scripts.shown / 4);
process.exit(problems.length === 0 && areScriptsRight ? 0 : 1);

function choose(): readonly Fault[] {
  if (wanted) return allFaults.filter(({ id }) => wanted.includes(id));
  if (every !== undefined) return allFaults.filter((_, at) => at % every === seed % every);
  const judged = allFaults.filter(
    ({ judgedByNamedChecksOnly, caughtBy }) => !judgedByNamedChecksOnly && !caughtBy.some((id) => resetChecks.has(id)),
  );
  return Array.from({ length: count }, (_, at) => judged[(seed * 31 + at * 149) % judged.length] as Fault);
}

async function recheck(fault: Fault): Promise<void> {
  const target = withoutReset(fault);
  let isShown = false;
  const red = new Set<string>();
  for (const checks of runsOf(fault)) {
    const { judged } = await examineServer({ ...fault, target }, checks, {
      inspect: async (server) => {
        isShown = await tryScript(fault, server);
      },
    });
    for (const id of Object.keys(signatureOf(fault, judged).red)) red.add(id);
    if (fault.caughtBy.every((id) => red.has(id))) break;
  }
  if (!isShown) problems.push(`${fault.id}: no check fails`);
  const changed = namedChecks ? [] : changedChecks(fault, [...red]);
  if (changed.length > 0) suspects.push({ fault, changed });
}

/**
 * The checks of the runs that measure a fault, like `npm run signatures`: some checks only show a defect as long as other checks do not
 * use the same funds, invoices or webhooks.
 */
function runsOf(fault: Fault): CheckId[][] {
  const isNamedOnly = namedChecks || fault.judgedByNamedChecksOnly;
  return isNamedOnly ? [checksForFault(fault)] : [checksOfProfile('full'), checksForFault(fault)];
}

/** The target of a fault, without the reset, which would end the keys that the script uses. */
function withoutReset(fault: Fault): (target: BoundTargetInput) => BoundTargetInput {
  return (target) => {
    const adapted = fault.target ? fault.target(target) : target;
    return { ...adapted, allow: { ...adapted.allow, reset: false } };
  };
}

/** Measures a fault once more, while no other server is measured. A change counts if it is seen twice. */
async function measureAgain({ fault, changed }: Suspect): Promise<void> {
  const red: Signature['red'] = {};
  for (const checks of runsOf(fault)) {
    const { judged } = await examineServer({ ...fault, target: withoutReset(fault) }, checks);
    Object.assign(red, signatureOf(fault, judged).red);
  }
  const again = changedChecks(fault, Object.keys(red));
  const both = changed.filter((id) => again.includes(id));
  if (both.length === 0) return;
  const text = `${fault.id}: its signature has changed by ${both.join(', ')}; run: npm run signatures -- --fault ${fault.id}`;
  const requirement = signatures.get(fault.id)?.requirement;
  const [first] = causesOfFailures(red, [...signatures.values()]);
  if (first?.requirement === requirement) changes.push(text);
  else problems.push(`${text}. A report names ${first?.requirement ?? 'no requirement'} and not ${requirement}`);
}

/** The checks that no longer turn red, or that do now; none if the difference may be due to timing. */
function changedChecks({ id, takesEffectLater, caughtBy }: Fault, red: readonly string[]): string[] {
  // The other checks see a late effect only if they happen to look late enough.
  if (takesEffectLater) return caughtBy.filter((check) => !red.includes(check));
  const known = Object.keys(signatures.get(id)?.red ?? {}).filter((check) => !resetChecks.has(check));
  const changed = [...known.filter((each) => !red.includes(each)), ...red.filter((each) => !known.includes(each))];
  return changed.length > tolerated(known.length) ? changed : [];
}

/** Tries the script of the first failure. False if no check fails. */
async function tryScript(fault: Fault, { target, folder }: JudgedServer): Promise<boolean> {
  const report = await buildReport(() => readJournal(join(folder, JOURNAL_FILE)));
  const first = firstFailure(report);
  if (!first) return false;
  const script = first.reproduction?.script ?? null;
  if (script === null) {
    scripts.absent += 1;
    return true;
  }
  const conforming = await startReference();
  try {
    const faulty = await execute(script, target, folder);
    const kept = await execute(forTarget(script, target, conforming.target), conforming.target, folder);
    if (faulty === 0 && kept === 1) scripts.shown += 1;
    else if (faulty === INCONCLUSIVE || (faulty === 0 && (kept === INCONCLUSIVE || RECORDED_ID.test(script))))
      scripts.inconclusive += 1;
    else if (!unreproducibleFaults.has(fault.id))
      wrongScripts.push(
        `${fault.id}: the script of ${first.id} exits with ${faulty} on the faulty server, ${kept} on the conforming one`,
      );
  } finally {
    await conforming.close();
  }
  return true;
}

function firstFailure({ causes, checks }: Report): CheckReport | undefined {
  const id = causes[0]?.startWith ?? checks.find(isRed)?.id;
  return checks.find((check) => check.id === id);
}

type Described = JudgedServer['target'];

/** The script with the organizations and other ids of another sandbox. */
function forTarget(script: string, from: Described, to: Described): string {
  const others = new Map(textsOf(to));
  return textsOf(from).reduce((text, [place, value]) => {
    const other = others.get(place);
    return other === undefined || value.length < 6 ? text : text.replaceAll(value, other);
  }, script);
}

function textsOf(value: unknown, place = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, `${place}/${name}`));
}

/** The exit code of a script with the keys of a target. */
function execute(script: string, { actors, baseUrl }: Described, folder: string): Promise<number> {
  const file = join(folder, 'reproduce.sh');
  writeFileSync(file, script);
  const keys = Object.entries(actors).flatMap(([name, { key, secret }]) => [
    [credentialVariable(name, 'key'), key],
    [credentialVariable(name, 'secret'), secret],
  ]);
  const env = { PATH: process.env.PATH ?? '', BASE_URL: baseUrl, ...Object.fromEntries(keys) };
  return new Promise((resolve) => {
    execFile('sh', [file], { env }, (error) => resolve(error === null ? 0 : Number(error.code)));
  });
}
