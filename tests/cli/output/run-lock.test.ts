import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LOCK_FILE, RunLock } from '../../../cli/output/run-lock.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';

/** Higher than any process number. */
const NO_PROCESS = 2 ** 30;

function folderWith(content?: string, ageMs = 0): string {
  const folder = mkdtempSync(join(tmpdir(), 'kit-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (content === undefined) return folder;
  writeFileSync(join(folder, LOCK_FILE), content);
  const then = new Date(Date.now() - ageMs);
  utimesSync(join(folder, LOCK_FILE), then, then);
  return folder;
}

/** The content of a lock held by this process, with the given changes. */
async function content(changes: object = {}): Promise<string> {
  const folder = folderWith();
  const lock = await RunLock.acquire(folder);
  const written: object = JSON.parse(readFileSync(join(folder, LOCK_FILE), 'utf8'));
  lock.release();
  return JSON.stringify({ ...written, ...changes });
}

async function isFree(folder: string): Promise<boolean> {
  const lock = await RunLock.acquire(folder).catch((error: Error) => {
    expect(error.message).toContain(`${folder} is being written by another run`);
    return null;
  });
  lock?.release();
  if (lock) expect(readdirSync(folder)).toEqual([]);
  return lock !== null;
}

test('a lock is held until it is released, and names its process and start', async () => {
  const folder = folderWith();
  const before = Date.now();
  const lock = await RunLock.acquire(folder);
  await expect(RunLock.acquire(folder)).rejects.toThrow(
    new RegExp(`another run \\(process ${process.pid}, started \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC\\); wait`),
  );
  const { startedAt } = JSON.parse(readFileSync(join(folder, LOCK_FILE), 'utf8'));
  expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(before);
  lock.release();
  expect(await isFree(folder)).toBe(true);
});

test('a lock is free when its process is gone', async () => {
  expect(await isFree(folderWith(await content({ pid: NO_PROCESS })))).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'a lock is free when its process number belongs to a later process',
  async () => {
    expect(await isFree(folderWith(await content({ processStart: '1' })))).toBe(true);
  },
);

test('a lock of another host is respected while it is refreshed, and is free two minutes later', async () => {
  const elsewhere = await content({ host: 'another.example', pid: NO_PROCESS });
  expect(await isFree(folderWith(elsewhere, 60_000))).toBe(false);
  expect(await isFree(folderWith(elsewhere, 121_000))).toBe(true);
  await expect(RunLock.acquire(folderWith(elsewhere))).rejects.toThrow(
    `process ${NO_PROCESS} on another.example, started`,
  );
});

test('an unreadable lock is free when no process can still be writing it', async () => {
  expect(await isFree(folderWith('', 5_000))).toBe(true);
  expect(await isFree(folderWith('{"pid":1}', 5_000))).toBe(true);
  expect(await isFree(folderWith('{"pi'))).toBe(true);
});

test('of many runs that find an abandoned lock, exactly one gets it', async () => {
  const folder = folderWith(await content({ pid: NO_PROCESS }));
  const tries = await Promise.allSettled(Array.from({ length: 12 }, () => RunLock.acquire(folder)));
  const got = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(got).toHaveLength(1);
  got[0]?.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a claim that its process never completed blocks no run', async () => {
  const gone = await content({ pid: NO_PROCESS });
  const folder = folderWith(gone);
  const { token } = JSON.parse(gone) as { token: string };
  writeFileSync(join(folder, `${LOCK_FILE}.${token}.claim`), gone);
  expect(await isFree(folder)).toBe(true);
});

test('a lock that another run has taken over is not released', async () => {
  const folder = folderWith();
  const lock = await RunLock.acquire(folder);
  const other = await content({ pid: NO_PROCESS });
  writeFileSync(join(folder, LOCK_FILE), other);
  lock.release();
  expect(readFileSync(join(folder, LOCK_FILE), 'utf8')).toBe(other);
});

describe('a path that is not a lock file gives one clear message and is not changed:', () => {
  async function refusal(put: (path: string) => void): Promise<string> {
    const folder = folderWith();
    const path = join(folder, LOCK_FILE);
    put(path);
    const fault = await RunLock.acquire(folder).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ConfigurationError);
    expect(readdirSync(folder)).toEqual([LOCK_FILE]);
    return (fault as ConfigurationError).message.replace(path, '…');
  }
  const REST = 'but the kit needs this path for its lock file; move it away, or name another folder';

  test('a folder', async () => {
    expect(await refusal((path) => mkdirSync(path))).toBe(`… is a folder, ${REST}`);
  });

  test('a dangling link, which a run could neither create nor read', async () => {
    expect(await refusal((path) => symlinkSync('/nowhere/lock', path))).toBe(`… is not a regular file, ${REST}`);
  });

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('a file of another user', async () => {
    const put = (path: string) => writeFileSync(path, '', { mode: 0o000 });
    expect(await refusal(put)).toBe(`… cannot be read (EACCES), ${REST}`);
  });
});

test('a run completes even if a folder replaces its lock', async () => {
  const folder = folderWith();
  const lock = await RunLock.acquire(folder);
  rmSync(join(folder, LOCK_FILE));
  mkdirSync(join(folder, LOCK_FILE));
  lock.release();
  expect(readdirSync(folder)).toEqual([LOCK_FILE]);
});

test('a missing folder gives one clear message', async () => {
  const folder = join(folderWith(), 'none');
  await expect(RunLock.acquire(folder)).rejects.toThrow(
    `cannot write to ${folder} (ENOENT); name a folder that can be`,
  );
});
