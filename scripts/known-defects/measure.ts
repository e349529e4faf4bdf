import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { findExamination } from '../../cli/prove/outcomes.ts';
import { checksForFault } from '../../cli/prove/servers.ts';
import { signatureOf } from '../../cli/prove/signature.ts';
import type { ProofJob } from '../../cli/prove/worker.ts';
import { runInWorkers, type ServerOutcome } from '../../cli/prove/worker-pool.ts';
import { kit } from '../../engine/runtime/package-info.ts';
import { allFaults } from '../../reference/faults/all.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import { catalogueDigest, checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import { SIGNATURE_FILE, type Signature, type SignatureFile, signatureFile } from '../../specs/fault-signatures.ts';
import { withSection } from '../markdown-section.ts';
import { accuracyTable, measureAccuracy } from './accuracy.ts';

/**
 * `npm run signatures` judges every fault with every check and writes specs/generated/signatures.json, in about 45 minutes.
 * `--fault a,b` replaces only these rows.
 */
const { fault: wanted, raw } = new Command()
  .option('--fault <ids>', 'only these faults, separated by commas', (ids) => ids.split(','))
  .option('--raw <folder>', 'also write all verdicts of each fault here')
  .parse()
  .opts<{ fault?: string[]; raw?: string }>();

const faults = wanted ? allFaults.filter(({ id }) => wanted.includes(id)) : allFaults;
const missing = wanted?.filter((id) => !allFaults.some((fault) => fault.id === id)) ?? [];
if (missing.length > 0) throw new Error(`there is no fault ${missing.join(', ')}`);

const ACCURACY_BEGIN = '<!-- accuracy: written by npm run signatures -->';
const ACCURACY_END = '<!-- /accuracy -->';

const measured = new Map<string, Signature>();
const kept = wanted ? readFile().faults : [];
const hidden = await measure(faults, jobOf);
// Some checks only show a defect as long as other checks do not use the same funds, invoices or webhooks.
await measure(hidden, (fault) => ({ kind: 'fault', id: fault.id, checks: checksForFault(fault) }));
writeSignatures(allFaults.flatMap(({ id }) => measured.get(id) ?? kept.find((row) => row.fault === id) ?? []));
writeAccuracy();
console.log(`${measured.size} of ${allFaults.length} faults measured`);

/** Measures the faults and adds to earlier results. Returns those of which a named check has not turned red. */
async function measure(some: readonly Fault[], toJob: (fault: Fault) => ProofJob): Promise<Fault[]> {
  const outcomes: ServerOutcome[] = [];
  await runInWorkers(some.map(toJob), (outcome) => {
    outcomes.push(outcome);
    if (outcomes.length % 25 === 0) console.error(`${outcomes.length}/${some.length} faults`);
  });
  for (const fault of some) {
    const { judged } = findExamination(outcomes, 'fault', fault.id);
    const found = signatureOf(fault, judged);
    const all = { ...measured.get(fault.id)?.red, ...found.red };
    const red = [...checkCatalogue.keys()].flatMap((id) => (all[id] === undefined ? [] : [[id, all[id]] as const]));
    measured.set(fault.id, { ...found, red: Object.fromEntries(red) });
    if (!raw) continue;
    mkdirSync(raw, { recursive: true });
    writeFileSync(join(raw, `${fault.id}.json`), JSON.stringify(judged));
  }
  return some.filter(
    ({ id, caughtBy }) => !caughtBy.every((check) => Object.hasOwn(measured.get(id)?.red ?? {}, check)),
  );
}

function jobOf(fault: Fault): ProofJob {
  const checks = fault.judgedByNamedChecksOnly ? checksForFault(fault) : checksOfProfile('full');
  return { kind: 'fault', id: fault.id, checks };
}

function readFile(): SignatureFile {
  return signatureFile.parse(JSON.parse(readFileSync(SIGNATURE_FILE, 'utf8')));
}

/** One line for each fault, so that a change of the file shows which faults changed. */
function writeSignatures(rows: readonly Signature[]): void {
  const head = { schemaVersion: 2, kit: kit.version, catalogue: catalogueDigest };
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
  const text = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "faults": [\n${lines}\n  ]\n}\n`;
  writeFileSync(SIGNATURE_FILE, text);
}

/** Writes the accuracy of the diagnosis into docs/proof.md. */
function writeAccuracy(): void {
  const page = new URL('../../docs/proof.md', import.meta.url);
  const table = accuracyTable(measureAccuracy(readFile().faults));
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), ACCURACY_BEGIN, ACCURACY_END, table));
}
