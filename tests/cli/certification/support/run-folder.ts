import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalText } from '../../../reporting/journal/journal-builders.ts';
import type { CertifiedRun } from './certified-run.ts';

/** Writes the evidence and the target file of a run. `args`: the command that seals it, without `--out`. */
export function writeRun(folder: string, { records, targetFile: text }: CertifiedRun) {
  mkdirSync(folder, { recursive: true });
  const targetFile = join(folder, 'target.yaml');
  writeFileSync(join(folder, 'evidence.jsonl'), journalText(records));
  writeFileSync(targetFile, text);
  return { targetFile, args: ['seal', folder, '--target', targetFile] };
}
