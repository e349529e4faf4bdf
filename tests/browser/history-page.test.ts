import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { compareNights } from '../../reporting/history/compare-nights.ts';
import { renderHistory } from '../../reporting/history/history-page.tsx';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import { night } from '../reporting/history/night-builder.ts';
import { openPage } from './open-page.ts';

const NIGHTS = 90;

/** A history of real checks with hostile texts. */
async function hostileHistory(count: number): Promise<string> {
  const names = requirements.flatMap(({ checks }) => checks.map(({ id }) => id));
  const digests = Object.fromEntries(names.map((id) => [id, 'a']));
  const nights = Array.from({ length: count }, (_, at) =>
    night(at + 1, {
      digests,
      version: at > 3 ? '<img src=x onerror=alert(1)>' : '4.2.0',
      checks: { 'LIFE-02.approved-cancel': at % 9 > 4 ? 'fail' : 'pass', 'AUTH-01.both-missing': 'blocked' },
      medianMs: 20 + at,
    }),
  );
  const linked = nights.map((each) => ({ night: each, report: `${each.run.id}/report.html` }));
  const last = nights.at(-1) ?? night(1);
  return renderHistory({ nights: linked, changes: compareNights(nights.slice(0, -1), last), requirements });
}

const opened = openPage('history.html', () => hostileHistory(NIGHTS));
/** The accessibility checker takes minutes for the cells of ninety runs. */
const openedShort = openPage('history.html', () => hostileHistory(6));
const openPageOfOneRun = openPage('history.html', () => hostileHistory(1));

test('the page runs no text of the server and loads nothing', async () => {
  const { view, noises } = await opened();
  expect(await view.locator('h1').textContent()).toBe('Staging');
  expect(noises).toEqual([]);
});

test('the grid starts at the newest run and keeps the names in view', async () => {
  const { view } = await opened({ viewport: { width: 1000, height: 800 } });
  const row = view.locator('tr', { has: view.locator('a[href$="#LIFE-02"]') }).first();
  const isInside = await row.evaluate((element) => {
    const box = element.closest('.grid')?.getBoundingClientRect();
    const parts = [element.firstElementChild, element.lastElementChild].map((each) => each?.getBoundingClientRect());
    return parts.map((each) => each && box && each.left >= box.left && each.right <= box.right);
  });
  expect(isInside).toEqual([true, true]);
});

test('a cell leads to the report of its night', async () => {
  const { view } = await opened();
  const cell = view.locator('td.fail a[href$="#LIFE-02.approved-cancel"]').last();
  const address = await cell.evaluate((link) => link.getAttribute('href'));
  expect(address).toBe(`run-${NIGHTS}/report.html#LIFE-02.approved-cancel`);
});

test('the rows without a failure or a change can be hidden', async () => {
  const { view } = await opened();
  const shown = () => view.locator('tr.requirement:visible').count();
  const all = await shown();
  expect(all).toBeGreaterThan(50);
  await view.locator('#only-changing').check();
  expect(await shown()).toBeLessThan(5);
  expect(await view.locator('tr.check:visible').count()).toBe(1);
});

test('nothing but the grid is wider than a phone', async () => {
  const { view } = await opened({ viewport: { width: 390, height: 800 } });
  expect(await view.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

test('no word in the table of latencies is broken on a phone', async () => {
  const { view } = await openedShort({ viewport: { width: 390, height: 800 } });
  const lines = await view.locator('.latencies th').evaluateAll((cells) =>
    cells.map((cell) => {
      const text = cell.ownerDocument.createRange();
      text.selectNodeContents(cell);
      return text.getClientRects().length;
    }),
  );
  // "Operation" and "Over time"; "95th percentile, last run" has three lines.
  expect(lines.slice(0, 2)).toEqual([1, 1]);
  expect(Math.max(...lines)).toBeLessThanOrEqual(4);
});

test('the name of the last month is shown as a whole, even above one run', async () => {
  const { view } = await openPageOfOneRun();
  const month = view.locator('.grid th[scope="colgroup"]').last();
  expect(await month.evaluate((cell) => cell.ownerDocument.defaultView?.getComputedStyle(cell).overflow)).toBe(
    'visible',
  );
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an accessibility checker finds nothing in the ${colorScheme} page`, async () => {
    const { view } = await openedShort({ colorScheme });
    const { violations } = await new AxeBuilder({ page: view }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
}
