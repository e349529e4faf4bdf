import { statSync } from 'node:fs';
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { ROOT, sitePath } from './pages.ts';

interface SiteHref {
  readonly href: string;
  /** The file of the repository that the link leads to, if it is no page. */
  readonly file?: string;
  /** Why the link leads nowhere. */
  readonly problem?: string;
}

/** What the links of all pages lead to. */
export interface LinkTargets {
  /** The files of the repository that are no pages. */
  readonly files: Set<string>;
  readonly problems: Set<string>;
}

/** The link of the site for a link in a page, which is written for readers of the repository. */
export function siteHref(href: string, page: string, pages: ReadonlySet<string>): SiteHref {
  if (/^([a-z][a-z+.-]*:|\/\/|#)/i.test(href)) return { href };
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(href) ?? [];
  const target = posix.join(posix.dirname(page), decodeURI(path));
  const relative = (to: string) => encodeURI(posix.relative(posix.dirname(sitePath(page)), to));
  if (pages.has(target)) return { href: relative(sitePath(target)) + rest };
  const found = target.startsWith('..') ? undefined : statSync(`${ROOT}/${target}`, { throwIfNoEntry: false });
  const written = `${page}: the link "${href}" leads to`;
  if (found === undefined) return { href, problem: `${written} no file of the repository.` };
  if (found.isDirectory()) return { href, problem: `${written} a folder. Link to a file in it.` };
  return { href: relative(target) + rest, file: target };
}

/** Makes the links of the repository work on the site, and adds what they lead to. */
export function repositoryLinks(markdown: MarkdownRenderer, pages: ReadonlySet<string>, targets: LinkTargets): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    // The renderer of a page has another path after a rewrite. The index of the search has only one path.
    const page = posix.relative(ROOT, env.realPath ?? env.path);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const written = token.type === 'link_open' ? token.attrGet('href') : null;
      if (written === null) continue;
      const { href, file, problem } = siteHref(written, page, pages);
      token.attrSet('href', href);
      if (problem !== undefined) targets.problems.add(problem);
      if (file === undefined) continue;
      targets.files.add(file);
      // The router of the site would look for a page.
      token.attrSet('target', '_blank');
    }
  });
}
