/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Agreement, ComparedImplementation } from '../../../specs/formats/comparison.ts';
import { TableHead } from '../../formats/html/elements/text.tsx';
import { AGREEMENT_LABELS } from '../comparison-text.ts';

interface ComparisonHeadProps {
  readonly rows: string;
  readonly implementations: readonly ComparedImplementation[];
}

/** The columns: what is compared, how the runs agree, each implementation. */
export function ComparisonHead({ rows, implementations }: ComparisonHeadProps) {
  return <TableHead columns={[rows, 'Comparison', ...implementations.map(({ label }) => label)]} />;
}

/** How the runs agree, in words. */
export function AgreementCell({ agreement }: { agreement: Agreement }) {
  return <td class="agreement">{AGREEMENT_LABELS[agreement]}</td>;
}

/** Rows without a difference can be hidden. */
export function rowClass({ agreement }: { readonly agreement: Agreement }): string {
  return agreement === 'different' ? 'different' : 'steady';
}

type Row = { readonly id: string; readonly agreement: Agreement };

/** The rows with a difference, as links. */
export function Differences({ rows }: { rows: readonly Row[] }) {
  const different = rows.filter(({ agreement }) => agreement === 'different');
  if (different.length === 0) return null;
  return (
    <p class="differences">
      Different:{' '}
      {different.map(({ id }, at) => (
        <>
          {at === 0 ? '' : ', '}
          <a href={`#${rowAnchor(id)}`}>
            <code>{id}</code>
          </a>
        </>
      ))}
    </p>
  );
}

/** The number of rows with a difference, for a heading. */
export function differenceCount(rows: readonly Row[]): string {
  return `${rows.filter(({ agreement }) => agreement === 'different').length} of ${rows.length} different`;
}

/** The prefix keeps ids of a journal apart from those of the page. */
export function rowAnchor(id: string): string {
  return `row-${id}`;
}
