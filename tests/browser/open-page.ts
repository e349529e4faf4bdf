import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openWindow } from './open-window.ts';

/** Writes a page for all tests of a file, and returns a function that opens it in a new browser window. */
export function openPage(fileName: string, render: () => Promise<string>) {
  let folder: string;
  let page: string;
  const open = openWindow((url) => url.split('#')[0] === page);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-page-'));
    const file = join(folder, fileName);
    writeFileSync(file, await render());
    page = pathToFileURL(file).href;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return (options: BrowserContextOptions = {}, hash = '') => open(page + hash, options);
}
