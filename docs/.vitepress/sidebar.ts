import { posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { pageTitle, ROOMS, sitePath } from './pages.ts';

type Item = DefaultTheme.SidebarItem;

/** Pages of one subject, which the sidebar shows folded. */
interface Folder {
  /** The page that introduces the others. Without it, the first of them does. */
  readonly page: string;
  readonly title: string;
  /** Every page of these folders belongs to the subject, so that a new one needs no change here. */
  readonly folders: readonly string[];
}

interface Group {
  readonly title: string;
  /** The pages in their order. A page that does not exist is left out. */
  readonly entries: readonly (string | Folder)[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'Start',
    entries: [
      'README.md',
      'docs/getting-started.md',
      'docs/verdicts.md',
      'docs/what-a-run-sends.md',
      'docs/troubleshooting.md',
      'docs/faq.md',
    ],
  },
  {
    title: 'Guides',
    entries: [
      'docs/gate.md',
      'docs/certification.md',
      'docs/nightly.md',
      'docs/compare.md',
      'docs/ci.md',
      'docs/container.md',
      'docs/real-networks.md',
      'docs/reference-service.md',
      'docs/custom-checks.md',
    ],
  },
  {
    title: 'Reference',
    entries: [
      'docs/target-file.md',
      'docs/report.md',
      'docs/report-fields.md',
      { title: 'Requirements', page: 'docs/requirements/README.md', folders: ['docs/requirements'] },
      'docs/open-points.md',
      'docs/shell-completion.md',
      'docs/GLOSSARY.md',
    ],
  },
  {
    title: 'How it works',
    entries: [
      'docs/how-it-judges.md',
      'docs/proof.md',
      'docs/coverage.md',
      'docs/performance.md',
      { title: 'Architecture', page: 'docs/ARCHITECTURE.md', folders: ROOMS },
      { title: 'Decisions', page: 'docs/decisions/README.md', folders: ['docs/decisions'] },
    ],
  },
  {
    title: 'Contribute',
    entries: [
      'CONTRIBUTING.md',
      'docs/dependencies.md',
      'docs/releasing.md',
      'SECURITY.md',
      'CODE_OF_CONDUCT.md',
      'CHANGELOG.md',
    ],
  },
];

/** The sidebar of the site. Every page is in it, so that readers can find it. */
export function sidebar(pages: readonly string[], titleOf: (page: string) => string = pageTitle): Item[] {
  const lost = pages.filter((page) => !GROUPS.some(({ entries }) => entries.some((entry) => holds(entry, page))));
  if (lost.length > 0) {
    throw new Error(`${lost.join(', ')}: in no group of the sidebar. Add each page to docs/.vitepress/sidebar.ts.`);
  }
  const linkTo = (page: string): Item => ({
    text: page === 'README.md' ? 'Overview' : titleOf(page),
    link: siteLink(page),
  });
  const items = (entry: string | Folder): Item[] => {
    const inside = pages.filter((page) => holds(entry, page));
    const [first] = inside;
    if (first === undefined || typeof entry === 'string') return inside.map(linkTo);
    // A title without a link would be a button that contains a button, which screen readers do not announce.
    const head = inside.includes(entry.page) ? entry.page : first;
    const others = inside.filter((page) => page !== entry.page).map(linkTo);
    return [{ text: entry.title, link: siteLink(head), collapsed: true, items: others }];
  };
  return GROUPS.map(({ title, entries }) => ({ text: title, items: entries.flatMap(items) }));
}

function holds(entry: string | Folder, page: string): boolean {
  if (typeof entry === 'string') return entry === page;
  return entry.page === page || entry.folders.includes(posix.dirname(page));
}

/** The address of a page from the top of the site. */
export function siteLink(page: string): string {
  return `/${sitePath(page)}`.replace(/index\.md$/, '').replace(/\.md$/, '.html');
}
