import { constants } from 'node:buffer';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareFolder } from '../../cli/output-folder.ts';

const START = '2026-01-02T03:04:05.678Z';

/** A journal of an earlier run, of so many bytes: nothing but zeros behind its beginning, which take no room on the disk. */
function journalOf(bytes: number): { folder: string; journal: string } {
  const folder = mkdtempSync(join(tmpdir(), 'kit-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = join(folder, 'evidence.jsonl');
  const file = openSync(journal, 'w');
  writeSync(file, `{"record":"run","startedAt":"${START}"}\n`);
  closeSync(file);
  truncateSync(journal, bytes);
  return { folder, journal };
}

test('a journal that is longer than any text can be moves aside, and back', () => {
  const bytes = constants.MAX_STRING_LENGTH + 1;
  const { folder, journal } = journalOf(bytes);
  const undo = prepareFolder(folder);
  const moved = join(folder, 'previous', START.replaceAll(':', '-'), 'evidence.jsonl');
  expect(statSync(moved).size).toBe(bytes);
  expect(existsSync(journal)).toBe(false);
  undo();
  expect(statSync(journal).size).toBe(bytes);
  expect(existsSync(join(folder, 'previous'))).toBe(false);
});
