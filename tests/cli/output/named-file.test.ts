import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { writeNamedFile } from '../../../cli/output/named-file.ts';

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  const write: typeof fs.writeFileSync = (file, content) => {
    fs.writeFileSync(file, content);
    if (disk.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };
  return { ...fs, writeFileSync: write };
});

const folder = mkdtempSync(join(tmpdir(), 'kit-named-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a full disk leaves no beginning of a new file, and no earlier file is removed', () => {
  const [fresh, earlier] = [join(folder, 'new.zip'), join(folder, 'old.html')];
  writeFileSync(earlier, 'text');
  disk.isFull = true;
  for (const file of [fresh, earlier])
    expect(() => writeNamedFile('--out', file, 'text')).toThrow(
      `--out: cannot write ${file} (ENOSPC); free space on its disk`,
    );
  expect([existsSync(fresh), existsSync(earlier)]).toEqual([false, true]);
});

test('a path below a file is named with the option', () => {
  const file = join(folder, 'file');
  disk.isFull = false;
  writeFileSync(file, 'text');
  expect(() => writeNamedFile('--html', join(file, 'page.html'), 'text')).toThrow(
    `--html: cannot write ${join(file, 'page.html')} (ENOTDIR); name a file in a writable folder`,
  );
});
