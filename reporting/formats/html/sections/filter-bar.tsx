/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Report } from '../../../../specs/formats/report.ts';
import { CHECK_VERDICTS } from '../../../../specs/verdicts.ts';
import { VERDICT_LABELS } from '../../../text/wording.ts';

/** The filter form. Hidden until the script shows it, because it does not work without script. */
export function FilterBar({ summary, checks }: Pick<Report, 'summary' | 'checks'>) {
  const verdicts = CHECK_VERDICTS.filter((verdict) => summary.checks[verdict] > 0);
  const levels = (['required', 'implied'] as const).filter((level) => checks.some((check) => check.level === level));
  return (
    // biome-ignore lint/a11y/useSemanticElements: screen readers know the role longer than the search element.
    <form id="filter" role="search" aria-label="Filter checks" hidden>
      <label for="filter-text" class="sr">
        Filter by words
      </label>
      <input
        id="filter-text"
        type="search"
        placeholder="Filter by id or word ( / )"
        autocomplete="off"
        spellcheck={false}
      />
      <Toggles label="Verdict" kind="verdict" values={verdicts.map((verdict) => [verdict, VERDICT_LABELS[verdict]])} />
      {levels.length < 2 ? null : <Toggles label="Level" kind="level" values={levels.map((level) => [level, level])} />}
      <output id="filter-status" for="filter-text" />
      <button type="reset" class="clear">
        Clear
      </button>
    </form>
  );
}

interface TogglesProps {
  readonly label: string;
  readonly kind: string;
  readonly values: readonly (readonly [value: string, text: string])[];
}

function Toggles({ label, kind, values }: TogglesProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a visible legend.
    <div role="group" aria-label={label} class="toggles">
      {values.map(([value, text]) => (
        <button
          key={value}
          type="button"
          class={`toggle ${value}`}
          aria-pressed="false"
          data-kind={kind}
          data-value={value}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
