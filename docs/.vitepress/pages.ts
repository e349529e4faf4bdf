import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of the code whose README is a page. */
export const ROOMS = ['specs', 'engine', 'helpers', 'suites', 'reporting', 'reference', 'cli', 'tests'];

/** The Markdown files that are pages of the site, as paths in the repository. */
export function findPages(): string[] {
  const documents = readdirSync(`${ROOT}/docs`, { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
  const rooms = ROOMS.map((room) => `${room}/README.md`).filter((path) => existsSync(`${ROOT}/${path}`));
  const isPage = (path: string) => path.endsWith('.md') && !path.includes('/.');
  return [...readdirSync(ROOT), ...documents, ...rooms].filter(isPage).sort();
}

/** The patterns of the Markdown files that are no pages. */
export const NO_PAGES = [
  `!(docs|${ROOMS.join('|')})/**/*`,
  `@(${ROOMS.join('|')})/!(README).md`,
  `@(${ROOMS.join('|')})/*/**`,
];

/** The place of a page in the site, in lower case. The pages of docs/ are at the top, and a README is the index of its folder. */
export function sitePath(page: string): string {
  const place = page.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
  return place.toLowerCase();
}

/** The first heading of a page, without markup. */
export function pageTitle(page: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(`${ROOT}/${page}`, 'utf8'))?.[1];
  if (heading === undefined) throw new Error(`${page} has no heading. Begin the page with a line such as "# Title".`);
  return heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}
