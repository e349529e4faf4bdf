import { describe, expect, test } from 'vitest';
import { findPages, pageTitle, sitePath } from '../../../docs/.vitepress/pages.ts';
import { sidebar } from '../../../docs/.vitepress/sidebar.ts';

const titleOf = (page: string) => `title of ${page}`;

/** The items of a group, for these pages. */
function itemsOf(group: string, pages: readonly string[]) {
  return sidebar(pages, titleOf).find(({ text }) => text === group)?.items;
}

describe('the sidebar', () => {
  test('has a place for every page of the repository', () => {
    expect(() => sidebar(findPages())).not.toThrow();
  });

  test('rejects a page that is in no group', () => {
    expect(() => sidebar(['README.md', 'docs/unknown.md', 'docs/other/page.md'], titleOf)).toThrow(
      'docs/unknown.md, docs/other/page.md: in no group of the sidebar. Add each page to docs/.vitepress/sidebar.ts.',
    );
  });

  test('has the pages of a group in the order of reading', () => {
    expect(itemsOf('Guides', ['docs/compare.md', 'docs/gate.md'])).toEqual([
      { text: 'title of docs/gate.md', link: '/gate.html' },
      { text: 'title of docs/compare.md', link: '/compare.html' },
    ]);
  });

  test('folds the pages of a folder below the page that introduces them', () => {
    const pages = ['docs/decisions/0001-one.md', 'docs/decisions/0002-two.md', 'docs/decisions/README.md'];
    const items = [
      { text: 'title of docs/decisions/0001-one.md', link: '/decisions/0001-one.html' },
      { text: 'title of docs/decisions/0002-two.md', link: '/decisions/0002-two.html' },
    ];
    expect(itemsOf('How it works', pages)).toEqual([
      { text: 'Decisions', link: '/decisions/', collapsed: true, items },
    ]);
    expect(itemsOf('How it works', pages.slice(0, 2))).toEqual([
      { text: 'Decisions', link: '/decisions/0001-one.html', collapsed: true, items },
    ]);
  });
});

describe('the pages', () => {
  test('include the files of the root, docs/ and the rooms', () => {
    expect(findPages()).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/gate.md', 'cli/README.md']),
    );
    expect(findPages().filter((page) => /node_modules|\.vitepress/.test(page))).toEqual([]);
  });

  test('have a title without markup', () => {
    expect(pageTitle('docs/report-fields.md')).toBe('The fields of report.json');
    expect(() => pageTitle('LICENSE')).toThrow('LICENSE has no heading. Begin the page with a line such as "# Title".');
  });

  test('have different places', () => {
    const places = findPages().map(sitePath);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  });
});
