/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import type { Requirement } from '../../specs/catalogue/requirement.ts';
import type { Changes } from '../../specs/formats/changes.ts';
import { renderDocument } from '../formats/html/document.tsx';
import { Facts } from '../formats/html/elements/text.tsx';
import { formatTime } from '../text/wording.ts';
import type { LinkedNight } from './nights.ts';
import { ChangeList, ChangeLog } from './page/changes.tsx';
import { Grid } from './page/grid.tsx';
import { Latencies } from './page/latencies.tsx';

interface HistoryPageOptions {
  /** Whether the page compares two runs, instead of showing a history. */
  readonly isComparison?: boolean;
  /** Oldest first; at least one. */
  readonly nights: readonly LinkedNight[];
  /** What changed with the last run. */
  readonly changes: Changes;
  readonly requirements: readonly Requirement[];
}

const STYLES = ['theme', 'text', 'overview', 'findings', 'sections', 'history', 'narrow', 'print'];

/** The page of a history: what changed with the last run, requirements over nights, latencies. Throws without a run. */
export function renderHistory({ nights, changes, requirements, isComparison = false }: HistoryPageOptions): string {
  const [first, last] = [nights[0], nights.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a history page needs a run');
  const { target, kit } = last.night;
  const facts: [string, string][] = [
    ['Target', target.baseUrl],
    ['Runs', `${nights.length}`],
    ['From', formatTime(first.night.run.startedAt)],
    ['To', formatTime(last.night.run.startedAt)],
    ['Server version', target.implementation?.version ?? 'not named'],
    ['Kit', `${kit.name} ${kit.version}`],
  ];
  return renderDocument({
    title: `${isComparison ? 'Comparison' : 'History'}: ${target.name}`,
    styles: STYLES,
    script: null,
    body: (
      <>
        <a class="sr" href="#main">
          Skip to the changes
        </a>
        <header>
          <p class="eyebrow">{isComparison ? 'Comparison of two runs' : 'Conformance history'}</p>
          <h1>{target.name}</h1>
          <Facts facts={facts} />
        </header>
        <main id="main" tabindex={-1}>
          <ChangeList
            changes={changes}
            last={last}
            name={isComparison ? 'the later run' : 'the last run'}
            before={isComparison ? 'the run of' : 'the runs up to'}
          />
          <Grid nights={nights} requirements={requirements} />
          <Latencies nights={nights.map(({ night }) => night)} />
          <ChangeLog nights={nights} />
        </main>
      </>
    ),
  });
}
