import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportCommand } from '../../../cli/commands/report.ts';
import { notWritableError, RunLock } from '../../../cli/output/run-lock.ts';

test('report does not advise another folder if the folder of the run is not writable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kit-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'evidence.jsonl'), '');
  const readOnly = Object.assign(new Error('read-only file system'), { code: 'EROFS' });
  vi.spyOn(RunLock, 'acquire').mockRejectedValue(notWritableError(folder, readOnly));
  await expect(reportCommand.parseAsync([folder], { from: 'user' })).rejects.toThrow(
    `<dir>: cannot write to ${folder} (EROFS); grant write access to ${folder}, or copy it and name the copy`,
  );
});
