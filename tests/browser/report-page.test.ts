import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formats, renderReport } from '../../reporting/formats/formats.ts';
import { hostileReport } from '../reporting/formats/hostile-report.ts';

// Needs no network and no sandbox: the pages are files that the test has written.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];

let browser: Browser;
let folder: string;
let page: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-page-'));
  const file = join(folder, formats.html.file);
  writeFileSync(file, renderReport(formats.html, await hostileReport()));
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

async function opened(options: BrowserContextOptions = {}): Promise<{ view: Page; noises: string[] }> {
  const context = await browser.newContext(options);
  const view = await context.newPage();
  const noises: string[] = [];
  view.on('console', (message) => noises.push(message.text()));
  view.on('pageerror', (error) => noises.push(error.message));
  view.on('dialog', (dialog) => {
    noises.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  view.on('request', (request) => {
    if (request.url() !== page) noises.push(`request: ${request.url()}`);
  });
  await view.goto(page);
  return { view, noises };
}

test('the page shows its verdict first, runs no text of the server and loads nothing from the network', async () => {
  const { view, noises } = await opened();
  expect(await view.locator('#verdict-h').textContent()).toMatch(/conformant|Inconclusive/i);
  expect(noises).toEqual([]);
});

test('a word in the filter hides the checks without it', async () => {
  const { view } = await opened();
  const shown = () => view.locator('[data-check]:not([hidden])').count();
  const all = await shown();
  const first = (await view.locator('[data-check]').first().getAttribute('id'))?.replace('row-', '') ?? '';
  await view.locator('#filter-text').fill(first);
  await expect.poll(shown).toBe(1);
  await view.locator('#filter button.clear').click();
  await expect.poll(shown).toBe(all);
});

test('without script, all content is readable and the filter is hidden', async () => {
  const { view } = await opened({ javaScriptEnabled: false });
  expect(await view.locator('#filter').isHidden()).toBe(true);
  expect(await view.locator('article.card').count()).toBeGreaterThan(0);
});

test('nothing is wider than a phone', async () => {
  const { view } = await opened({ viewport: { width: 390, height: 800 } });
  expect(await view.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an accessibility checker finds nothing in the ${colorScheme} page`, async () => {
    const { view } = await opened({ colorScheme });
    const { violations } = await new AxeBuilder({ page: view }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
}
