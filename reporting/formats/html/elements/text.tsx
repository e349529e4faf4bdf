/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { RequirementVerdict } from '../../../../specs/verdicts.ts';
import { VERDICT_LABELS } from '../../../text/wording.ts';

/** Text of the catalogue, in which backticks mark names of fields and values. */
export function CatalogueText({ text }: { text: string }) {
  const parts = text.split('`');
  // An odd backtick marks nothing.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <code key={`${at}`}>{part}</code>))}</>;
}

/** A verdict as a label with text, so that it does not depend on colour. */
export function VerdictChip({ verdict, label }: { verdict: RequirementVerdict; label?: string }) {
  return <span class={`chip ${verdict}`}>{label ?? VERDICT_LABELS[verdict]}</span>;
}

/** A command or a script, with a copy button. The button works only with script, which shows it. */
export function CopyBlock({ text }: { text: string }) {
  return (
    <div class="copy-block">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" class="copy" hidden>
        Copy
      </button>
    </div>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly count?: string | number;
  /** Whether the filter hides the section if it hides everything in it. */
  readonly isFiltered?: boolean;
  readonly children: Child;
}

export function Section({ id, title, count, isFiltered = false, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-h`} data-group={isFiltered || undefined}>
      <h2 id={`${id}-h`}>
        {title} {count === undefined ? null : <span class="count">{count}</span>}
      </h2>
      {children}
    </section>
  );
}

export function TableHead({ columns }: { columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Names and values, in a row. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
