import { existsSync, readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { joinNames, pluralize } from '../../reporting/text/wording.ts';
import { type KnownFailure, knownFailure } from '../../specs/formats/baseline.ts';
import { readBaseline } from '../earlier-runs/read-baseline.ts';
import { readRunVerdicts } from '../earlier-runs/run-verdicts.ts';
import { changedBaseline, compareBaseline } from '../earlier-runs/update-baseline.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { cannotWrite } from '../output/named-file.ts';
import { replaceFile } from '../output/replace-file.ts';

type Words = Partial<Omit<KnownFailure, 'id' | 'intermittent'>>;
type WordName = 'reason' | 'issue' | 'owner' | 'expires';

const WORD_NAMES: readonly WordName[] = ['reason', 'issue', 'owner', 'expires'];

export const baselineCommand = new Command('baseline')
  .description('write the failures of a run into a baseline, so that they do not fail the gate until they expire')
  .requiredOption('--from <dir>', 'folder of the run with the failures', nonEmptyParser('name the folder of a run'))
  .requiredOption('-o, --out <file>', 'baseline file to write or to update', nonEmptyParser('name a YAML file'))
  .option('--reason <text>', 'why the new failures are accepted for now', wordParser('reason', 'write a reason'))
  .option('--issue <url>', 'issue that tracks them', wordParser('issue', 'write an http or https link'))
  .option('--owner <name>', 'person or team that corrects them', wordParser('owner', 'write a name'))
  .option(
    '--expires <date>',
    'last day on which they are accepted',
    wordParser('expires', 'write a date, such as 2027-01-31'),
  )
  .addHelpText(
    'after',
    `
Entries that still fail stay as they are. Entries that pass now, or that name no check, are removed.

Examples:
  $ conformance baseline --from reports/staging --out baseline.yaml --reason "Cancel is being rewritten" \\
      --issue https://issues.example.com/BILL-12 --owner billing --expires 2027-01-31
  $ conformance run --target staging.yaml --baseline baseline.yaml`,
  )
  .action(async ({ from, out, ...words }: { from: string; out: string } & Words) => {
    if (words.expires !== undefined && words.expires < today())
      throw new ConfigurationError(`--expires: found ${words.expires}, which has passed; write a later date`);
    const { header, verdicts, isWhole } = await readRunVerdicts(from, '--from');
    const entries = existsSync(out) ? readBaseline(out, '--out') : [];
    const change = compareBaseline(entries, { run: header.run, verdicts, isWhole });
    const missing = WORD_NAMES.filter((name) => words[name] === undefined);
    if (change.added.length > 0 && missing.length > 0) {
      const options = joinNames(
        missing.map((name) => `--${name}`),
        missing.length,
      );
      const those = `${pluralize(change.added.length, 'failure')} without an entry (${joinNames(change.added)})`;
      throw new ConfigurationError(`${options}: missing; write ${missing.length === 1 ? 'it' : 'them'} for ${those}`);
    }
    if (entries.length === 0 && change.added.length === 0)
      throw new ConfigurationError(`--from: no check failed in ${from}; the run needs no baseline`);
    writeBaseline(out, changedBaseline(textBefore(out), change, words as Omit<KnownFailure, 'id'>));
    console.log(`${out}: ${change.added.length} added, ${change.kept.length} kept, ${change.removed.length} removed`);
    for (const id of change.added) console.log(`  added    ${id}`);
    for (const { id, reason } of change.removed) console.log(`  removed  ${id} (${reason})`);
    const expired = entries.filter(({ id, expires }) => expires < today() && change.kept.includes(id));
    for (const { id, expires } of expired) console.log(`  expired  ${id} on ${expires}; edit the date in the file`);
  });

/** The text of the file before the change; null for a new YAML file. */
function textBefore(file: string): string | null {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  return /\.json$/i.test(file) ? '{"knownFailures":[]}' : null;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function wordParser(name: WordName, advice: string): (text: string) => string {
  return (text) => {
    const { success, data } = knownFailure.shape[name].safeParse(text);
    if (!success) throw new InvalidArgumentError(`${advice}.`);
    return data;
  };
}

function writeBaseline(file: string, text: string): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw cannotWrite('--out', file, error);
  }
}
