import { describe, expect, test } from 'vitest';
import { anchorOfId, pageLink } from '../../../cli/explain/page-link.ts';
import { allFaults } from '../../../reference/faults/all.ts';
import { escapeText, headingAnchor } from '../../../scripts/generate/requirements/markdown.ts';
import { openPointsOf, openPointsOfParts } from '../../../scripts/generate/requirements/open-point-links.ts';
import { requirementPages } from '../../../scripts/generate/requirements/pages.ts';
import { checkCatalogue, requirements } from '../../../specs/catalogue/catalogue.ts';
import { checkOrder } from '../../../specs/catalogue/check-order.ts';
import { AREAS, type Requirement } from '../../../specs/catalogue/requirement.ts';
import { openPoints } from '../../../specs/contract/open-points.ts';

/** GitHub and editors render larger pages slowly. */
const MAX_PAGE_BYTES = 75_000;

const pages = requirementPages();

function pageOf({ area }: Pick<Requirement, 'area'>): string {
  return pages[`${area}.md`] ?? '';
}

/** The entry of a check: from its anchor to the next anchor or heading. */
function entryOf(id: string): string {
  const { requirement } = checkCatalogue.get(id as never) ?? {};
  const [, after = ''] = requirement ? pageOf(requirement).split(`<a id="${anchorOfId(id)}"></a>`) : [];
  return after.split(/<a id=|^## /m)[0] ?? '';
}

function anchorsOf(text: string): string[] {
  const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => headingAnchor(heading ?? ''));
  return [...explicit, ...headings];
}

function requirementWith(id: string): Requirement {
  const found = requirements.find((each) => each.id === id);
  if (!found) throw new Error(`no requirement ${id}`);
  return found;
}

describe('the pages of the requirements', () => {
  test.each(Object.entries(pages))('%s is not too large', (_, text) => {
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_PAGE_BYTES);
  });

  test.each(AREAS)('the page %s has no anchor twice', (area) => {
    const anchors = anchorsOf(pageOf({ area }));
    expect(anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at)).toEqual([]);
  });

  test('are where explain says', () => {
    const links = requirements.flatMap((entry) => [entry, ...entry.checks].map(({ id }) => pageLink(entry, id)));
    const known = new Set(AREAS.flatMap((area) => anchorsOf(pageOf({ area })).map((anchor) => `${area}.md#${anchor}`)));
    expect(links.filter((link) => !known.has(link.replace('docs/requirements/', '')))).toEqual([]);
  });

  test('have an entry with the title and the profiles of each check', () => {
    const missing = [...checkCatalogue.values()].filter(({ id, title }) => {
      const entry = entryOf(id);
      return !entry.includes(`**${id}** ${escapeText(title)}.`) || !/\bIn (?:smoke|core|full)\b/.test(entry);
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test('name each fault with its defect at every check that catches it', () => {
    const missing = allFaults.flatMap(({ id, defect, caughtBy }) =>
      caughtBy.filter((check) => !entryOf(check).includes(`\`${id}\`: ${escapeText(defect)}`)),
    );
    expect(missing).toEqual([]);
  });

  test('name the requests of each check that was measured', () => {
    const missing = checkOrder.filter(
      ({ check, requests }) => !new RegExp(`; ${requests} requests?\\.`).test(entryOf(check)),
    );
    expect(missing).toEqual([]);
  });

  test('name the fields that a check needs, once for a requirement if all its checks need the same', () => {
    expect(entryOf('CONN-02.suspended')).toContain('`actors.buyer`, `counterparties.suspended`.');
    expect(entryOf('TREAS-01.settlement')).toContain('Needs `actors.seller`, `actors.buyer`, `operations.submit`, ');
    expect(entryOf('LIST-02.total')).toContain('Is judged on every exchange of the run.');
    expect(pageOf({ area: 'creation' })).toContain('Each needs `actors.seller`, `actors.buyer`.');
    expect(entryOf('CREATE-01.unknown')).not.toContain('actors.');
  });

  test('link every requirement from the index', () => {
    const missing = requirements.filter(
      ({ id, area }) => !pages['README.md']?.includes(`| [${id}](${area}.md#${anchorOfId(id)}) |`),
    );
    expect(missing.map(({ id }) => id)).toEqual([]);
  });
});

describe('the open points of a requirement', () => {
  const idsOf = (points: readonly { id: string }[]) => points.map(({ id }) => id);

  test('are those of its place, and those that its observations record', () => {
    const byPlace = openPoints.find(({ section }) => section === 'States and transitions, rule 1');
    expect(idsOf(openPointsOf(requirementWith('LIFE-02')))).toContain(byPlace?.id);
    const byObservation = openPoints.find(({ observations }) => observations.includes('treasury-balance-response'));
    expect(idsOf(openPointsOf(requirementWith('TREAS-02')))).toContain(byObservation?.id);
  });

  test('about a whole part of the contract belong to one area', () => {
    const owners = AREAS.flatMap((area) => openPointsOfParts(area));
    expect(owners.length).toBeGreaterThan(30);
    expect(new Set(owners).size).toBe(owners.length);
    expect(idsOf(openPointsOfParts('lists'))).toContain(
      openPoints.find(({ section }) => section === 'List invoices')?.id,
    );
  });
});

describe('the Markdown of a page', () => {
  test.each([
    ['skips __proto__', 'skips \\_\\_proto_\\_'],
    ['the code GW_UNKNOWN_ENVIRONMENT', 'the code GW_UNKNOWN_ENVIRONMENT'],
    ['a * b | c', 'a \\* b \\| c'],
    ['the path `/<id>/*`', 'the path `/<id>/*`'],
  ])('escapes %s', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test('has the anchors of GitHub', () => {
    expect(headingAnchor('OP-13 How UTC is written, and "when"')).toBe('op-13-how-utc-is-written-and-when');
    expect(anchorOfId('LIFE-02.small')).toBe('life-02-small');
  });
});
