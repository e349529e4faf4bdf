import { describe, expect, test } from 'vitest';
import { siteBase } from '../../../docs/.vitepress/base.ts';
import { siteHref } from '../../../docs/.vitepress/links.ts';

const PAGES = new Set(['README.md', 'CONTRIBUTING.md', 'docs/gate.md', 'docs/report.md', 'docs/ci/README.md']);

describe('a link of the repository on the site', () => {
  test.each([
    ['README.md', 'docs/gate.md', 'gate.md'],
    ['README.md', 'docs/gate.md#exit-codes', 'gate.md#exit-codes'],
    ['docs/gate.md', './report.md', 'report.md'],
    ['docs/gate.md', '../CONTRIBUTING.md#names', 'contributing.md#names'],
    ['docs/gate.md', 'ci/README.md', 'ci/index.md'],
    ['docs/ci/README.md', '../gate.md', '../gate.md'],
    ['docs/ci/README.md', '../../README.md', '../index.md'],
  ])('in %s: %s leads to a page', (page, href, expected) => {
    expect(siteHref(href, page, PAGES)).toEqual({ href: expected });
  });

  test.each([
    ['README.md', 'LICENSE', 'LICENSE', 'LICENSE'],
    ['docs/report.md', '../specs/schemas/report.schema.json', 'specs/schemas/report.schema.json'],
    ['docs/ci/README.md', 'jenkins/Jenkinsfile', '../docs/ci/jenkins/Jenkinsfile', 'docs/ci/jenkins/Jenkinsfile'],
  ])('in %s: %s leads to a copy of the file', (page, href, expected, file = expected) => {
    expect(siteHref(href, page, PAGES)).toEqual({ href: expected, file });
  });

  test.each(['https://example.com/a.md', 'mailto:desk@example.com', '//example.com', '#exit-codes'])(
    '%s stays as it is',
    (href) => {
      expect(siteHref(href, 'docs/gate.md', PAGES)).toEqual({ href });
    },
  );

  test.each([
    ['missing.md', 'leads to no file of the repository.'],
    ['../../outside.md', 'leads to no file of the repository.'],
    ['ci/github/', 'leads to a folder. Link to a file in it.'],
  ])('%s is a problem', (href, reason) => {
    const problem = `docs/gate.md: the link "${href}" ${reason}`;
    expect(siteHref(href, 'docs/gate.md', PAGES)).toEqual({ href, problem });
  });
});

describe('SITE_BASE', () => {
  test('is the top of the host unless it is set', () => {
    expect(siteBase(undefined)).toBe('/');
    expect(siteBase('/kit/')).toBe('/kit/');
    expect(siteBase('/group/kit/')).toBe('/group/kit/');
  });

  test.each(['kit', '/kit', 'kit/', '//', 'https://example.com/kit/', ''])('rejects %j', (text) => {
    expect(() => siteBase(text)).toThrow(
      `SITE_BASE is "${text}". Write a path that begins and ends with a slash, such as /kit/.`,
    );
  });
});
