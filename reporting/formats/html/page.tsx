/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { Report } from '../../../specs/report.ts';
import { createReportView } from '../../report/report-view.ts';
import { capitalize } from '../../text/wording.ts';
import { Appendix } from './sections/appendix.tsx';
import { FilterBar } from './sections/filter-bar.tsx';
import { Findings } from './sections/findings.tsx';
import { LifecycleGraph } from './sections/lifecycle-graph.tsx';
import { Overview } from './sections/overview.tsx';
import { RequirementMap } from './sections/requirement-map.tsx';
import { Requirements } from './sections/requirements.tsx';
import { Timings } from './sections/timings.tsx';

interface PageProps {
  readonly report: Report;
  readonly style: string;
  readonly script: string;
  /** The content security policy. */
  readonly policy: string;
}

/** The whole report: one page that loads nothing. */
export function Page({ report, style, script, policy }: PageProps) {
  const view = createReportView(report);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${capitalize(report.headline)}: ${report.target.name}`}</title>
        <style>{raw(style)}</style>
      </head>
      <body>
        <a class="sr" href="#main">
          Skip to the findings
        </a>
        <Overview report={report} view={view} />
        <FilterBar summary={report.summary} checks={report.checks} />
        <main id="main" tabindex={-1}>
          <Findings report={report} view={view} />
          <LifecycleGraph view={view} />
          <RequirementMap areas={view.areas} />
          <Requirements report={report} view={view} />
          <Timings timings={report.timings} summary={report.summary} />
          <Appendix report={report} />
        </main>
        <script>{raw(script)}</script>
      </body>
    </html>
  );
}
