import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { allFaults } from '../../../../reference/faults/all.ts';
import { startReference } from '../../../../reference/service/start.ts';
import { type JournalRecord, journalRecord } from '../../../../specs/formats/journal.ts';
import { parseLine } from '../../../../specs/formats/journal-chain.ts';
import { parseTarget, type Target } from '../../../../specs/target-file/target.ts';
import { conformance, temporaryFolder } from '../../support/command.ts';

/** A run of the built `certify` command, read into memory. */
export interface CertifiedRun {
  readonly records: readonly JournalRecord[];
  readonly target: Target;
  /** The content of the target file. */
  readonly targetFile: string;
}

export const TICKET = 'CERT-118';
export const OPERATOR = 'Acme QA';

/** Certifies the reference service, with the fault of this id or without one. */
export async function certifyReference(faultId?: string): Promise<CertifiedRun> {
  const { folder, remove } = temporaryFolder();
  const server = await startReference(allFaults.find(({ id }) => id === faultId));
  try {
    const content = {
      ...server.target,
      implementation: { vendor: 'Acme', product: 'Ledger', version: '4.2' },
      allow: {},
    };
    const targetFile = stringify(content);
    writeFileSync(join(folder, 'target.yaml'), targetFile);
    const words = ['--operator', OPERATOR, '--ticket', TICKET, '--seed', '7', '--quiet'];
    const run = await conformance(['certify', '--target', 'target.yaml', ...words, '--out', 'out'], { cwd: folder });
    if (run.code !== (faultId === undefined ? 0 : 1))
      throw new Error(`certify ended with ${run.code}: ${run.stdout}${run.stderr}`);
    const lines = readFileSync(join(folder, 'out', 'evidence.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    return {
      records: lines.map((line) => journalRecord.parse(parseLine(line))),
      target: parseTarget(content),
      targetFile,
    };
  } finally {
    await server.close();
    remove();
  }
}
