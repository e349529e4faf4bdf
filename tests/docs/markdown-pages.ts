import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A page for people, as GitHub and the registry show it. */
export interface Page {
  /** Relative to the root of the kit. */
  readonly path: string;
  readonly text: string;
  /** Without blocks of code and comments. */
  readonly prose: string;
}

export interface Link {
  /** Relative to the root of the kit; a web address for a link that leaves the kit. */
  readonly to: string;
  /** Without `#`; null if the link names no heading. */
  readonly anchor: string | null;
}

export const root = new URL('../../', import.meta.url);

function readPage(path: string): Page {
  const text = readFileSync(new URL(path, root), 'utf8');
  return { path, text, prose: text.replaceAll(/^( *)```[\s\S]*?^\1```/gm, '').replaceAll(/<!--[\s\S]*?-->/g, '') };
}

/** README, CHANGELOG, CONTRIBUTING and all pages in docs/. */
export function userPages(): Page[] {
  const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/(^|[\\/])\./.test(name))
    .map((name) => posix.join('docs', name.replaceAll('\\', '/')));
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs.sort()].map(readPage);
}

/** The READMEs of the rooms. */
export function roomPages(): Page[] {
  const rooms = ['specs', 'engine', 'helpers', 'suites', 'reporting', 'reference', 'cli', 'tests'];
  return rooms.map((room) => readPage(`${room}/README.md`));
}

export function isWebAddress(to: string): boolean {
  return /^[a-z][a-z+.-]*:/i.test(to);
}

/** The links and pictures of a page. */
export function linksOf({ path, prose }: Page): Link[] {
  return [...prose.replaceAll(/`[^`\n]*`/g, '`').matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map(([, href = '']) => {
    if (isWebAddress(href)) return { to: href, anchor: null };
    const [file = '', anchor] = href.split('#');
    const to = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file));
    return { to, anchor: anchor ?? null };
  });
}

/** The anchors of a page: those of its headings, by the rule of GitHub, and those that it sets itself. */
export function anchorsOf({ prose }: Page): Set<string> {
  const anchors = new Set([...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id));
  const counts = new Map<string, number>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+?)\s*$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}
