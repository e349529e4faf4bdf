import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAttempts } from '../../../cli/certification/attempts.ts';
import type { Attempt } from '../../../specs/certification/certification.ts';
import { everyCheck, footer, header, journalText, result, target } from '../../reporting/journal/journal-builders.ts';

function temporaryFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'kit-attempts-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** The evidence of a run that certifies, in which every check has this verdict. */
function evidence(id: string, startedAt: string, verdict: 'pass' | 'fail', attempts: Attempt[] = []): string {
  const kit = { commit: null, digest: 'a'.repeat(64), node: 'v20.0.0' };
  const certification = { operator: 'Acme QA', ticket: null, kit, serverCertificate: null, attempts };
  return journalText([
    header({ certification }, { id, startedAt }),
    ...everyCheck.map((check) => result(check, verdict)),
    footer(),
  ]);
}

function write(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'evidence.jsonl'), text);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const [MONDAY, TUESDAY, WEDNESDAY] = ['26', '27', '28'].map((day) => `2026-01-${day}T09:30:00.000Z`) as [
  string,
  string,
  string,
];

describe('the earlier attempts of a folder', () => {
  it('are those of its evidence, oldest first, with their verdicts and digests', async () => {
    const folder = temporaryFolder();
    const [first, second] = [evidence('one', MONDAY, 'fail'), evidence('two', TUESDAY, 'pass')];
    write(join(folder, 'previous', 'b'), second);
    write(join(folder, 'previous', 'a'), first);
    expect(await readAttempts(folder, target)).toEqual([
      { runId: 'one', startedAt: MONDAY, verdict: 'non-conformant', evidence: sha256(first) },
      { runId: 'two', startedAt: TUESDAY, verdict: 'conformant', evidence: sha256(second) },
    ]);
  });

  it('include those that the evidence names, even if their own is gone', async () => {
    const folder = temporaryFolder();
    const gone: Attempt = { runId: 'gone', startedAt: MONDAY, verdict: 'inconclusive', evidence: 'b'.repeat(64) };
    write(join(folder, 'previous', 'a'), evidence('two', WEDNESDAY, 'pass', [gone]));
    expect((await readAttempts(folder, target)).map(({ runId }) => runId)).toEqual(['gone', 'two']);
  });

  it('are not those of another server', async () => {
    const folder = temporaryFolder();
    write(join(folder, 'previous', 'a'), evidence('one', MONDAY, 'pass'));
    await expect(readAttempts(folder, { name: 'Other', baseUrl: 'https://other.example.com' })).rejects.toThrow(
      /^--out: \S+ holds attempts of .*; name another folder$/,
    );
  });

  it('do not include runs of other commands', async () => {
    const folder = temporaryFolder();
    write(join(folder, 'previous', 'a'), journalText([header(), footer()]));
    expect(await readAttempts(folder, target)).toEqual([]);
  });
});
