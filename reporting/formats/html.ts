import { createHash } from 'node:crypto';
import type { Report } from '../../specs/report.ts';
import { createReportView } from '../report/report-view.ts';
import { capitalize } from '../text/wording.ts';
import { appendix } from './html/appendix.ts';
import { catalogue } from './html/catalogue.ts';
import { filterBar } from './html/filter-bar.ts';
import { findings } from './html/findings.ts';
import { lifecycleGraph } from './html/lifecycle-graph.ts';
import { Markup, markup } from './html/markup.ts';
import { overview } from './html/overview.ts';
import { requirementMap } from './html/requirement-map.ts';
import { SCRIPT } from './html/script.ts';
import { STYLE } from './html/style.ts';
import { timeline } from './html/timeline.ts';

/** The HTML report as a self-contained page that runs only its own script, in pieces. */
export function* htmlPieces(report: Report): Generator<string, void, undefined> {
  for (const { text } of pageParts(report)) yield text;
}

function* pageParts(report: Report): Generator<Markup, void, undefined> {
  const view = createReportView(report);
  yield markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${capitalize(report.headline)}: ${report.target.name}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="sr" href="#main">Skip to the findings</a>
${overview(report)}
${filterBar(report)}
<main id="main" tabindex="-1">
`;
  yield findings(report, view);
  const lifecycle = lifecycleGraph(view);
  if (lifecycle) yield lifecycle;
  yield requirementMap(view);
  yield* catalogue(report, view);
  const times = timeline(report);
  if (times) yield times;
  yield markup`
${appendix(report)}
</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
}

/** Allows only the style and script of the report, by their hashes. Injected content of a server cannot run. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src '${digestOf(STYLE)}'`,
  `script-src '${digestOf(SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function digestOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}
