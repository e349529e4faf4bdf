import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { formats, renderReport } from '../../reporting/formats/formats.ts';
import { hostileReport } from '../reporting/formats/hostile-report.ts';
import { everyCheck, exchange, footer, header, reportOf, result } from '../reporting/journal/journal-builders.ts';
import { openPage } from './open-page.ts';

const opened = openPage(formats.html.file, async () => renderReport(formats.html, await hostileReport()));

/** Of the second failure, only the deciding exchange can be expanded. */
const openedTwice = openPage(formats.html.file, async () => {
  const failures = everyCheck.slice(0, 2).flatMap((id, at) => {
    const own = [`a${at}`, `b${at}`];
    const expectation = { status: [401] };
    return [
      ...own.map((each) => exchange(each)),
      result(id, 'fail', { exchanges: own, decisive: own.slice(1), expectation }),
    ];
  });
  return renderReport(formats.html, await reportOf([header(), ...failures, footer()]));
});

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

test('the filter is part of the address', async () => {
  const { view } = await opened();
  await view.locator('#filter button[data-value=fail]').click();
  await view.locator('#filter-text').fill('AUTH-01');
  await expect.poll(() => new URL(view.url()).hash).toBe('#?text=AUTH-01&verdict=fail');
  const shown = await view.locator('[data-check]:not([hidden])').count();
  const { view: again } = await opened({}, new URL(view.url()).hash);
  expect(await again.locator('#filter-text').inputValue()).toBe('AUTH-01');
  expect(await again.locator('[data-check]:not([hidden])').count()).toBe(shown);
});

test('a link to a check opens its failure, and a link to a requirement its row', async () => {
  const { view } = await opened({}, '#LIFE-02.becomes-submitted');
  expect(await view.locator('[id="failure-LIFE-02.becomes-submitted"]').getAttribute('open')).not.toBeNull();
  const { view: row } = await opened({}, '#LIFE-01');
  expect(await row.locator('[id="LIFE-01"]').isVisible()).toBe(true);
});

test('the deciding response is expanded, and its difference is marked', async () => {
  const { view } = await opened();
  const card = view.locator('details.card[open]').first();
  expect(await card.locator('.transcript details[open]').count()).toBe(1);
  expect(await view.locator('.transcript details[open] mark').count()).toBeGreaterThan(0);
});

test('exchanges with and without details begin at the same place', async () => {
  const { view } = await openedTwice();
  const startsOf = (selector: string) =>
    view.locator(`.transcript > li ${selector}`).evaluateAll((roles) =>
      roles.map((role) => {
        for (let card = role.closest('details'); card; card = card.parentElement?.closest('details') ?? null)
          card.open = true;
        const line = role.closest('li')?.getBoundingClientRect().left ?? 0;
        return Math.round(role.getBoundingClientRect().left - line);
      }),
    );
  const [plain, foldable] = [await startsOf('> .step > .role'), await startsOf('> details > summary > .role')];
  expect(plain.length * foldable.length).toBeGreaterThan(0);
  expect(new Set([...plain, ...foldable]).size).toBe(1);
});

test('a link that a page is opened with shows the card of a failed check', async () => {
  const { view } = await opened({}, '#LIFE-02.becomes-submitted');
  const top = () =>
    view.locator('[id="failure-LIFE-02.becomes-submitted"]').evaluate((card) => card.getBoundingClientRect().top);
  await expect.poll(async () => Math.abs(await top())).toBeLessThan(900);
});

test('a link to something that the filter hides ends the filter', async () => {
  const { view } = await opened({}, '#?text=AUTH-01');
  const row = view.locator('[id="LIFE-01"]');
  expect(await row.isVisible()).toBe(false);
  await view.evaluate("location.hash = '#LIFE-01'");
  await expect.poll(() => row.isVisible()).toBe(true);
  expect(await view.locator('#filter-text').inputValue()).toBe('');
});

test('the filter counts the checks whose row or card has the word', async () => {
  const { view } = await opened();
  await view.locator('#filter-text').fill('lifecycle');
  await expect.poll(() => view.locator('#filter-status').textContent()).toMatch(/^[1-9]\d* of \d+ checks$/);
  expect(await view.locator('details.card:not([hidden])').count()).toBeGreaterThan(0);
});

test('n and p go to the next and the previous failure, / to the filter', async () => {
  const { view } = await opened();
  const focused = () =>
    view.evaluate("document.activeElement.closest('details.card')?.id ?? document.activeElement.id");
  await view.keyboard.press('n');
  const first = await focused();
  await view.keyboard.press('n');
  const second = await focused();
  expect([first, second].every((id) => String(id).startsWith('failure-')) && first !== second).toBe(true);
  await view.keyboard.press('p');
  expect(await focused()).toBe(first);
  await view.keyboard.press('/');
  expect(await focused()).toBe('filter-text');
});

test('a printed page shows every requirement', async () => {
  const { view } = await opened();
  await view.emulateMedia({ media: 'print' });
  await view.evaluate("dispatchEvent(new Event('beforeprint'))");
  const visible = await view
    .locator('.requirement')
    .evaluateAll((rows) => rows.map((row) => row.getClientRects().length > 0));
  expect(visible.length).toBeGreaterThan(0);
  expect(visible).not.toContain(false);
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
