/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Report } from '../../../specs/formats/report.ts';
import { createReportView } from '../../report/report-view.ts';
import { Appendix } from './sections/appendix.tsx';
import { CustomChecks } from './sections/custom-checks.tsx';
import { FilterBar } from './sections/filter-bar.tsx';
import { Findings } from './sections/findings.tsx';
import { LifecycleGraph } from './sections/lifecycle-graph.tsx';
import { Overview } from './sections/overview.tsx';
import { RequirementMap } from './sections/requirement-map.tsx';
import { Requirements } from './sections/requirements.tsx';
import { Timings } from './sections/timings.tsx';

/** The content of the page. */
export function Page({ report }: { report: Report }) {
  const view = createReportView(report);
  return (
    <>
      <a class="sr" href="#main">
        Skip to the findings
      </a>
      <Overview report={report} view={view} />
      <FilterBar summary={report.summary} checks={report.checks} />
      <main id="main" tabindex={-1}>
        <Findings report={report} view={view} />
        <CustomChecks report={report} view={view} />
        <LifecycleGraph view={view} />
        <RequirementMap areas={view.areas} />
        <Requirements report={report} view={view} />
        <Timings timings={report.timings} summary={report.summary} />
        <Appendix report={report} />
      </main>
    </>
  );
}
