import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { compareRuns } from '../../reporting/compare/compare-runs.ts';
import { renderComparison } from '../../reporting/compare/comparison-page.tsx';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import type { Requirement } from '../../specs/catalogue/requirement.ts';
import { runOf } from '../reporting/compare/run-builder.ts';
import { observation, result } from '../reporting/journal/journal-builders.ts';
import { openPage } from './open-page.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const LONG = 'x'.repeat(300);
const FAILED = 'LIFE-02.approved-cancel';

/** Servers with hostile texts and different profiles. */
async function hostileComparison(catalogue: readonly Requirement[]): Promise<string> {
  const selected = catalogue.flatMap(({ checks }) => checks.map(({ id }) => id));
  const header = { catalogue: { digest: 'sha256:abc', requirements: [...catalogue] }, selected };
  const names = ['Acme', HOSTILE, LONG, 'Umbrella', 'Initech'];
  const runs = await Promise.all(
    names.map((name, at) =>
      runOf(name, {
        header: at === 4 ? { ...header, selected: [FAILED] } : header,
        run: { profile: at === 4 ? 'core' : 'full' },
        target: { baseUrl: `https://${LONG}.example.com`, implementation: { vendor: HOSTILE, version: LONG } },
        records: [
          result(FAILED, at === 1 ? 'fail' : 'pass'),
          observation('initial-state', at === 1 ? HOSTILE : 'DRAFT'),
          observation('codes-seen', at === 2 ? ['A', LONG] : ['A', 'B']),
          ...(at === 0 ? [observation('zero-amount', '0.00: 400')] : []),
        ],
      }),
    ),
  );
  return renderComparison(
    compareRuns(runs),
    runs.map((_, at) => (at === 3 ? null : `run-${at}/report.html`)),
  );
}

const opened = openPage('compare.html', () => hostileComparison(requirements));
/** The accessibility checker takes a minute for the cells of all requirements. */
const openedShort = openPage('compare.html', () =>
  hostileComparison(requirements.filter(({ area }) => area === 'lifecycle')),
);

test('the page runs no text of the servers and loads nothing', async () => {
  const { view, noises } = await opened();
  expect(await view.locator('h1').textContent()).toBe('5 implementations side by side');
  expect(noises).toEqual([]);
});

test('the rows without a difference can be hidden, without a script', async () => {
  const { view } = await opened({ javaScriptEnabled: false });
  const shown = () => view.locator('#requirements tbody tr:not(.area):visible').count();
  expect(await shown()).toBeGreaterThan(50);
  await view.locator('#only-different-requirements').check();
  expect(await shown()).toBe(1);
  expect(await view.locator('#observations tbody tr:visible').count()).toBe(3);
  await view.locator('#only-different-observations').check();
  expect(await view.locator('#observations tbody tr:visible').count()).toBe(2);
});

test('a difference leads to its row, and a cell to the report of its run', async () => {
  const { view } = await opened();
  await view.locator('#requirements a[href="#row-LIFE-02"]').click();
  expect(await view.locator('#row-LIFE-02').evaluate((row) => row.getBoundingClientRect().top)).toBeLessThan(900);
  const cell = view.locator('#row-LIFE-02 td a', { hasText: 'failed' });
  expect(await cell.getAttribute('href')).toBe('run-1/report.html#LIFE-02');
});

test('nothing but the tables is wider than a phone, and the first column stays in view', async () => {
  const { view } = await opened({ viewport: { width: 390, height: 800 } });
  expect(await view.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  const box = view.locator('#requirements .comparison');
  const [inner, outer] = await box.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(inner).toBeGreaterThan(outer ?? 0);
  await box.evaluate((element) => {
    element.scrollLeft = element.scrollWidth;
  });
  const left = await view.locator('#row-LIFE-02 th').evaluate((cell) => cell.getBoundingClientRect().left);
  expect(left).toBeGreaterThanOrEqual(0);
});

test('a printed page shows every row at full width', async () => {
  const { view } = await opened({ viewport: { width: 1050, height: 800 } });
  await view.emulateMedia({ media: 'print' });
  expect(await view.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1050);
  expect(await view.locator('#requirements tbody tr:visible').count()).toBeGreaterThan(50);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an accessibility checker finds nothing in the ${colorScheme} page`, async () => {
    const { view } = await openedShort({ colorScheme });
    const { violations } = await new AxeBuilder({ page: view }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
}
