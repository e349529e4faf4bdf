import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { productionPackages, ROOT } from '../../docs/production-packages.ts';
import { patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

/** The user `nobody` of most systems. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const { folder, remove } = temporaryFolder();
afterAll(() => {
  setPermissions(folder, 0o755, 0o644);
  remove();
});
chmodSync(folder, 0o755);
const kit = join(folder, 'kit');

/** The package with its production packages, as in an image. */
function installKit(): void {
  for (const path of ['package.json', 'dist', ...productionPackages()])
    cpSync(join(ROOT, path), join(kit, path), { recursive: true });
}

function setPermissions(path: string, forFolders: number, forFiles: number): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.isDirectory() ? forFolders : forFiles);
  if (found.isDirectory()) for (const name of readdirSync(path)) setPermissions(join(path, name), forFolders, forFiles);
}

/** A folder that the user of the kit may write to. */
function writableFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  if (isRoot) chownSync(path, NOBODY, NOBODY);
  return path;
}

test('the kit runs without write permission for its own files, as a user that is not root', async () => {
  installKit();
  setPermissions(kit, 0o555, 0o555);
  const [out, tmp] = [writableFolder('out'), writableFolder('tmp')];
  const before = readdirSync(kit, { recursive: true }).length;
  await promisify(execFile)(
    process.execPath,
    [join(kit, 'dist/cli/main.js'), 'run', '--only', 'LIFE-02', '--out', out],
    {
      cwd: '/',
      env: { TMPDIR: tmp, HOME: join(folder, 'none') },
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    },
  );
  expect(reportIn(out).verdict).toBe('passed');
  expect(readdirSync(tmp)).toEqual([]);
  expect(readdirSync(kit, { recursive: true })).toHaveLength(before);
  expect(readdirSync(folder).toSorted()).toEqual(['kit', 'out', 'tmp']);
});
