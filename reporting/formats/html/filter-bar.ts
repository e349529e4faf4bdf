import type { Report } from '../../../specs/report.ts';
import { CHECK_VERDICTS } from '../../../specs/verdicts.ts';
import { VERDICT_LABELS } from '../../text/wording.ts';
import { type Markup, markup } from './markup.ts';

/** The filter form. Hidden until the script shows it, because it does not work without script. */
export function filterBar({ summary, checks }: Report): Markup {
  const verdicts = CHECK_VERDICTS.filter((verdict) => summary.checks[verdict] > 0);
  const levels = (['required', 'implied'] as const).filter((level) => checks.some((check) => check.level === level));
  return markup`<form id="filter" role="search" aria-label="Filter checks" hidden>
  <label for="filter-text" class="sr">Filter by words</label>
  <input id="filter-text" type="search" placeholder="Filter by id or word ( / )" autocomplete="off" spellcheck="false">
  <div role="group" aria-label="Verdict" class="toggles">${verdicts.map((verdict) =>
    toggle('verdict', verdict, VERDICT_LABELS[verdict]),
  )}</div>
  ${
    levels.length < 2
      ? null
      : markup`<div role="group" aria-label="Level" class="toggles">${levels.map((level) => toggle('level', level, level))}</div>`
  }
  <output id="filter-status" for="filter-text"></output>
  <button type="reset" class="clear">Clear</button>
</form>`;
}

function toggle(kind: string, value: string, word: string): Markup {
  return markup`<button type="button" class="toggle ${value}" aria-pressed="false" data-kind="${kind}" data-value="${value}">${word}</button>`;
}
