import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

// Needs no network and no sandbox: the pages are files that the test has written.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];

interface OpenedPage {
  readonly view: Page;
  /** Messages, errors, dialogs, and requests that are not expected. */
  readonly noises: string[];
}

/** Starts a browser for all tests of a file, and returns a function that opens an address in a new window. */
export function openWindow(isExpected: (url: string) => boolean) {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CONFORMANCE_BROWSER ?? '/usr/bin/chromium',
      args: ARGUMENTS,
    });
  });

  afterAll(() => browser?.close());

  return async (address: string, options: BrowserContextOptions = {}): Promise<OpenedPage> => {
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
      if (!isExpected(request.url())) noises.push(`request: ${request.url()}`);
    });
    await view.goto(address);
    return { view, noises };
  };
}
