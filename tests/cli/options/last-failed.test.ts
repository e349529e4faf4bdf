import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRunVerdicts } from '../../../cli/earlier-runs/run-verdicts.ts';
import { lastFailedChecks } from '../../../cli/options/last-failed.ts';
import { JOURNAL_FILE } from '../../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import type { JournalRecord } from '../../../specs/formats/journal.ts';
import { night } from '../../reporting/history/night-builder.ts';
import { exchange, header, result } from '../../reporting/journal/journal-builders.ts';

const SELECTED = [
  'AUTH-01.both-missing',
  'AUTH-02.unknown',
  'LIFE-01.draft-submit',
  'LIFE-02.draft-approve',
  'LIST-01.items',
];
const [pass = '', fail = '', blocked = '', missing = '', unexecuted = ''] = SELECTED;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-last-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeJournal(...records: JournalRecord[]): void {
  writeFileSync(join(folder, JOURNAL_FILE), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

describe('--last-failed', () => {
  test('selects what failed, was blocked, or was not executed, in the profile of that run', async () => {
    writeJournal(
      header({ selected: SELECTED }),
      result(pass, 'pass'),
      result(fail, 'fail'),
      result(blocked, 'blocked', { blockedBy: fail }),
      result(missing, 'blocked', { blockedBy: 'actors.buyer of the target file' }),
    );
    const found = await lastFailedChecks({ lastFailed: folder });
    expect(found?.profile).toBe('full');
    expect(found?.only.toSorted()).toEqual([fail, blocked, missing, unexecuted].toSorted());
    expect(await lastFailedChecks({ lastFailed: true, out: folder })).toEqual(found);
  });

  test('selects the checks whose exchanges a failed check judges as well', async () => {
    writeJournal(
      header({ selected: [pass, fail] }),
      exchange('e1', { check: pass }),
      result(pass, 'pass', { exchanges: ['e1'] }),
      result(fail, 'fail', { decisive: ['e1'], expectation: null }),
    );
    const found = await lastFailedChecks({ lastFailed: folder });
    expect(found?.only.toSorted()).toEqual([pass, fail].toSorted());
  });

  test('selects what failed or was blocked last time in a history, also if a later run did not judge it', async () => {
    const first = night(1, { checks: { [fail]: 'fail', [blocked]: 'blocked', [pass]: 'fail' } });
    const second = night(2, { checks: { [pass]: 'pass' } });
    for (const each of [first, second]) {
      const name = `${each.run.startedAt.replaceAll(':', '-')}-1f0c9a3e`;
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'night.json.gz'), gzipSync(JSON.stringify(each)));
    }
    const found = await lastFailedChecks({ lastFailed: true, history: folder });
    expect(found?.profile).toBe('core');
    expect(found?.only.toSorted()).toEqual([fail, blocked].toSorted());
    expect(await lastFailedChecks({ lastFailed: folder })).toEqual(found);
    const out = join(folder, 'new');
    expect(await lastFailedChecks({ lastFailed: true, out, history: folder })).toEqual(found);
  });

  test('selects what an interrupted run of a history did not execute', async () => {
    const first = night(1, { checks: { [fail]: 'pass', [pass]: 'pass' } });
    const second = { ...night(2, { interrupted: 'SIGINT' }), checks: { [pass]: 'pass' as const } };
    for (const each of [first, second]) {
      const name = `${each.run.startedAt.replaceAll(':', '-')}-1f0c9a3e`;
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'night.json.gz'), gzipSync(JSON.stringify(each)));
    }
    const found = await lastFailedChecks({ lastFailed: folder });
    expect(found?.only).toContain(fail);
    expect(found?.only).not.toContain(pass);
  });

  test('selects within the budget of an interrupted run of a history', async () => {
    const { run, ...rest } = night(1, { interrupted: 'SIGINT' });
    mkdirSync(join(folder, `${run.startedAt.replaceAll(':', '-')}-1f0c9a3e`));
    writeFileSync(
      join(folder, `${run.startedAt.replaceAll(':', '-')}-1f0c9a3e`, 'night.json.gz'),
      gzipSync(JSON.stringify({ ...rest, run: { ...run, budget: 500 }, checks: {} })),
    );
    const found = await lastFailedChecks({ lastFailed: folder });
    expect(found?.only.length).toBeGreaterThan(100);
    expect(found?.only.length).toBeLessThan(300);
  });

  test('names the folder of --out if an option takes no history', async () => {
    const { startedAt } = night(1).run;
    mkdirSync(join(folder, `${startedAt.replaceAll(':', '-')}-1f0c9a3e`));
    await expect(readRunVerdicts(folder, '--from')).rejects.toThrow(/is a history, .*; name the folder of --out$/);
  });

  test('selects nothing without the option', async () => {
    expect(await lastFailedChecks({ out: folder })).toBeUndefined();
  });

  test.each([
    ['names no folder', () => ({ lastFailed: true as const }), /^--last-failed: names no folder/],
    ['names a folder without a run', () => ({ lastFailed: folder }), /contains no evidence\.jsonl/],
    [
      'names a missing folder',
      () => ({ lastFailed: join(folder, 'none') }),
      /^--last-failed: .*none does not exist; name the folder of a run$/,
    ],
    [
      'names a file',
      () => ({ lastFailed: import.meta.filename }),
      /^--last-failed: .* is a file; name the folder of a run, such as /,
    ],
    [
      'names a folder whose evidence is a folder',
      () => {
        mkdirSync(join(folder, JOURNAL_FILE));
        return { lastFailed: folder };
      },
      /contains no evidence\.jsonl; name the folder of a run$/,
    ],
  ])('is wrong if it %s', async (_, options, message) => {
    await expect(lastFailedChecks(options())).rejects.toThrow(message);
  });

  test('is wrong if nothing failed, or the journal is damaged', async () => {
    writeJournal(header({ selected: [pass] }), result(pass, 'pass'));
    await expect(lastFailedChecks({ lastFailed: folder })).rejects.toThrow(/no check failed or was blocked/);
    writeFileSync(join(folder, JOURNAL_FILE), '{"kind":"header"}\n');
    await expect(lastFailedChecks({ lastFailed: folder })).rejects.toThrow(/another version of the kit/);
    writeFileSync(join(folder, JOURNAL_FILE), 'text\nmore\n');
    await expect(lastFailedChecks({ lastFailed: folder })).rejects.toThrow(ConfigurationError);
  });
});
