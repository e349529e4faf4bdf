/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Comparison } from '../../specs/formats/comparison.ts';
import { renderDocument } from '../formats/html/document.tsx';
import { Facts } from '../formats/html/elements/text.tsx';
import { joinNames, pluralize } from '../text/wording.ts';
import { agreementCounts } from './comparison-text.ts';
import { Implementations } from './page/implementations.tsx';
import { Observations } from './page/observations.tsx';
import { Requirements } from './page/requirements.tsx';
import { scopeLine } from './scope-differences.ts';

const STYLES = ['theme', 'text', 'overview', 'findings', 'sections', 'narrow', 'print', 'comparison'];

/**
 * The page of a comparison: the implementations, the verdicts of each requirement, the unspecified behaviour. `reports`: for each
 * implementation, the address of its HTML report, relative to the page; null without one.
 */
export function renderComparison(comparison: Comparison, reports: readonly (string | null)[]): string {
  const { implementations, requirements, observations } = comparison;
  const scope = scopeLine(comparison);
  const facts: [string, string][] = [
    ['Requirements', agreementCounts(requirements)],
    ['Unspecified behaviour', agreementCounts(observations)],
  ];
  return renderDocument({
    title: `Comparison: ${joinNames(implementations.map(({ label }) => label))}`,
    styles: STYLES,
    script: null,
    body: (
      <>
        <a class="sr" href="#main">
          Skip to the requirements
        </a>
        <header>
          <p class="eyebrow">Conformance comparison</p>
          <h1>{pluralize(implementations.length, 'implementation')} side by side</h1>
          <Facts facts={facts} />
          {scope === null ? null : <p class="notice scope">{scope}</p>}
          <Implementations implementations={implementations} reports={reports} />
        </header>
        <main id="main" tabindex={-1}>
          <Requirements comparison={comparison} reports={reports} />
          <Observations comparison={comparison} />
        </main>
      </>
    ),
  });
}
