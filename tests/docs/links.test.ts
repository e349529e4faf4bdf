import { existsSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { anchorsOf, isWebAddress, linksOf, type Page, roomPages, root, userPages } from './markdown-pages.ts';

const pages = [...userPages(), ...roomPages()];
const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));

/** What is wrong with the links of a page, one line for each. */
function deadLinks(page: Page): string[] {
  return linksOf(page).flatMap(({ to, anchor }) => {
    if (isWebAddress(to)) return [];
    const url = new URL(to, root);
    if (!existsSync(url)) return [`${to}: there is no such file`];
    // The registry and the site show no folders.
    if (statSync(url).isDirectory()) return [`${to}: is a folder; link to a file in it`];
    if (anchor === null || anchors.get(to)?.has(anchor)) return [];
    return [`${to}#${anchor}: the page has no such heading`];
  });
}

describe.each(pages)('$path', (page) => {
  test('has no dead link', () => {
    expect(deadLinks(page)).toEqual([]);
  });
});

describe('the test of links', () => {
  const page = (prose: string): Page => ({ path: 'docs/gate.md', text: prose, prose });

  test('finds a missing file, a missing heading and a folder', () => {
    const dead = page(
      '[a](missing.md) [b](verdicts.md#missing) [c](ci/github/) [d](verdicts.md#exit-codes) [e](https://x.org/)',
    );
    expect(deadLinks(dead)).toEqual([
      'docs/missing.md: there is no such file',
      'docs/verdicts.md#missing: the page has no such heading',
      'docs/ci/github/: is a folder; link to a file in it',
    ]);
  });

  test('reads pictures, and links whose text is code', () => {
    expect(linksOf(page('![a picture](../reports/a.png) [`b`](#c)'))).toEqual([
      { to: 'reports/a.png', anchor: null },
      { to: 'docs/gate.md', anchor: 'c' },
    ]);
  });

  test('names headings as GitHub does', () => {
    expect([...anchorsOf(page('## What `verify` checks\n### checks[].setUp\n## Exit codes\n## Exit codes'))]).toEqual([
      'what-verify-checks',
      'checkssetup',
      'exit-codes',
      'exit-codes-1',
    ]);
  });

  test('knows the anchors that a page sets itself', () => {
    expect(anchorsOf(page('## LIFE-02\n<a id="life-02-small"></a>\n**LIFE-02.small**'))).toEqual(
      new Set(['life-02-small', 'life-02']),
    );
  });
});
