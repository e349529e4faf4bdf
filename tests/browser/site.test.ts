import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findPages, ROOT, sitePath } from '../../docs/.vitepress/pages.ts';
import { builtSite, LONG_MS } from './built-site.ts';
import { openWindow } from './open-window.ts';

const site = builtSite();
const isOwn = (url: string) => url.startsWith(site.url('')) || url.startsWith('data:');
const open = openWindow(isOwn);

/** The files of a folder, as paths in it. */
function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

const builtPages = () => filesOf(site.folder).filter((file) => file.endsWith('.html'));

/** A property of all elements that the selector finds. */
function propertiesOf(view: Page, selector: string, property: string): Promise<string[]> {
  const read = (all: object[], name: string) => all.map((each) => String(Reflect.get(each, name)));
  return view.locator(selector).evaluateAll(read, property);
}

test('every page of the repository is built', () => {
  const pages = findPages().map((page) => sitePath(page).replace(/\.md$/, '.html'));
  expect(builtPages()).toEqual(['404.html', ...pages].sort());
});

test('every link leads to a file and a heading, and every address that a page loads is of the site', {
  timeout: LONG_MS,
}, async () => {
  const { view, noises } = await open(site.url(''), { javaScriptEnabled: false });
  const anchors = new Set(filesOf(site.folder));
  const links: { from: string; to: string }[] = [];
  for (const file of builtPages()) {
    await view.goto(site.url(file));
    for (const id of await propertiesOf(view, '[id]', 'id')) anchors.add(`${file}#${id}`);
    for (const to of await propertiesOf(view, 'a[href]', 'href')) links.push({ from: file, to });
    const loaded = [...(await propertiesOf(view, '[src]', 'src')), ...(await propertiesOf(view, 'link', 'href'))];
    expect(loaded.filter((url) => !isOwn(url))).toEqual([]);
  }
  expect(noises).toEqual([]);
  const { origin } = new URL(site.url(''));
  const anchorOf = (url: string) =>
    decodeURIComponent(url.replace(site.url(''), '').replace(/(^|\/)(#|$)/, '$1index.html$2'));
  expect(links.filter(({ to }) => to.startsWith(origin) && !anchors.has(anchorOf(to)))).toEqual([]);
  expect(links.length).toBeGreaterThan(500);
});

test('no style names another host', () => {
  const styles = filesOf(site.folder).filter((file) => file.endsWith('.css'));
  const text = styles.map((file) => readFileSync(join(site.folder, file), 'utf8')).join('\n');
  expect(text).toContain('url(');
  expect(text.match(/(url\(|@import)\s*["']?(https?:)?\/\/[^)]*/g)).toBeNull();
});

const MODES = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 800 } },
} as const;
const OPENED = ['', 'gate.html', 'target-file.html', 'cli/'];

for (const mode of ['light', 'dark', 'phone'] as const) {
  test.each(OPENED)(`an accessibility checker finds nothing in /%s (${mode})`, { timeout: LONG_MS }, async (path) => {
    const { view, noises } = await open(site.url(path), MODES[mode]);
    const { violations } = await new AxeBuilder({ page: view }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([]);
    const width = view.viewportSize()?.width ?? 0;
    expect(await view.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(noises).toEqual([]);
  });
}

test('the home page shows the picture of the report and leads to a page', async () => {
  const { view, noises } = await open(site.url(''));
  const picture = view.locator('main img');
  expect(await picture.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBeGreaterThan(500);
  await view.locator('main').getByRole('link', { name: 'target file', exact: true }).click();
  await view.waitForURL(site.url('target-file.html'));
  // The address changes before the page is drawn.
  await view.locator('h1', { hasText: 'The target file' }).waitFor();
  expect(noises).toEqual([]);
});

test('a link to a file of the repository opens a copy of the file', async () => {
  const { view } = await open(site.url('certification.html'));
  const href = await view.locator('main a[href$="policy.yaml"]').first().getAttribute('href');
  const response = await view.request.get(new URL(href ?? '', view.url()).href);
  expect(await response.text()).toBe(readFileSync(`${ROOT}/docs/certification/policy.yaml`, 'utf8'));
});

test('the search finds a text', async () => {
  const { view, noises } = await open(site.url(''));
  await view.getByRole('button', { name: 'Search' }).first().click();
  await view.getByRole('searchbox').fill('exit code');
  const result = view.getByRole('listbox').getByRole('option').first();
  expect(await result.textContent()).toMatch(/exit code/i);
  await result.getByRole('link').click();
  await view.waitForURL((url) => url.hash !== '');
  expect(noises).toEqual([]);
});
