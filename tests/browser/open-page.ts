import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

// Needs no network and no sandbox: the pages are files that the test has written.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];

interface OpenedPage {
  readonly view: Page;
  /** Messages, errors, dialogs, and requests to anything but the page. */
  readonly noises: string[];
}

/** Writes a page for all tests of a file, and returns a function that opens it in a new browser window. */
export function openPage(fileName: string, render: () => Promise<string>) {
  let browser: Browser;
  let folder: string;
  let page: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-page-'));
    const file = join(folder, fileName);
    writeFileSync(file, await render());
    page = pathToFileURL(file).href;
    browser = await chromium.launch({
      executablePath: process.env.CONFORMANCE_BROWSER ?? '/usr/bin/chromium',
      args: ARGUMENTS,
    });
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return async (options: BrowserContextOptions = {}, hash = ''): Promise<OpenedPage> => {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const view = await context.newPage();
    const noises: string[] = [];
    view.on('console', (message) => noises.push(message.text()));
    view.on('pageerror', (error) => noises.push(error.message));
    view.on('dialog', (dialog) => {
      noises.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    view.on('request', (request) => {
      if (request.url().split('#')[0] !== page) noises.push(`request: ${request.url()}`);
    });
    await view.goto(page + hash);
    return { view, noises };
  };
}
