import { cpSync } from 'node:fs';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { siteBase } from './base.ts';
import { type LinkTargets, repositoryLinks } from './links.ts';
import { findPages, NO_PAGES, ROOT, sitePath } from './pages.ts';
import { sidebar, siteLink } from './sidebar.ts';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M3 8.5l3.5 3.5L13 4.5" fill="none" stroke="#3451b2" stroke-width="3"/></svg>';

const pages = findPages();
const targets: LinkTargets = { files: new Set(), problems: new Set() };

export default defineConfig({
  lang: 'en-GB',
  title: 'Invoicing Network Conformance Kit',
  description:
    'Tests any server of the Invoicing and Settlement Network interface against each requirement of the contract',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  base: siteBase(process.env.SITE_BASE),
  srcDir: '..',
  srcExclude: NO_PAGES,
  rewrites: sitePath,
  outDir: '../site',
  // With more at a time, the order of the search index depends on how fast each file is read.
  buildConcurrency: 1,
  markdown: {
    // As GitHub does, so that a link to a heading works in both places.
    anchor: { slugify: slug },
    attrs: { disable: true },
    // The usual themes have too little contrast for some readers.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    shikiSetup: (highlighter) => {
      const { codeToHtml } = highlighter;
      // By default a line that takes long keeps no colours, so that a busy machine would build another site.
      highlighter.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
    },
    config: (markdown) => repositoryLinks(markdown, new Set(pages), targets),
  },
  themeConfig: {
    siteTitle: 'Conformance Kit',
    nav: [
      { text: 'Gate a release', link: siteLink('docs/gate.md') },
      { text: 'Certify', link: siteLink('docs/certification.md') },
      { text: 'Run nightly', link: siteLink('docs/nightly.md') },
    ],
    sidebar: sidebar(pages),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  vite: {
    plugins: [
      {
        name: 'dead-links',
        apply: 'build',
        buildEnd: () => {
          if (targets.problems.size > 0) throw new Error([...targets.problems].sort().join('\n'));
        },
      },
    ],
  },
  buildEnd: ({ outDir }) => {
    for (const file of targets.files) cpSync(`${ROOT}/${file}`, `${outDir}/${file}`);
  },
});
