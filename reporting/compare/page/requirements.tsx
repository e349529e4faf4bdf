/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { ComparedRequirement, Comparison } from '../../../specs/formats/comparison.ts';
import { RowFilter, ScrollBox } from '../../formats/html/elements/table.tsx';
import { CatalogueText, Section } from '../../formats/html/elements/text.tsx';
import { groupBy } from '../../text/group-by.ts';
import { pluralize } from '../../text/wording.ts';
import { agreementCounts, verdictText } from '../comparison-text.ts';
import { AgreementCell, ComparisonHead, Differences, differenceCount, rowAnchor, rowClass } from './agreement.tsx';

interface RequirementsProps {
  readonly comparison: Comparison;
  /** The address of the report of each implementation; null without one. */
  readonly reports: readonly (string | null)[];
}

/** The verdict of each implementation on each requirement that a run selected. */
export function Requirements({ comparison: { requirements, implementations }, reports }: RequirementsProps) {
  const rows = requirements.filter(({ agreement }) => agreement !== 'not-selected');
  const omitted = requirements.length - rows.length;
  return (
    <Section id="requirements" title="Requirements" count={differenceCount(rows)}>
      <p class="lead">
        A cell is the verdict of a run, and leads to its report if there is one. A run that did not select a requirement
        says nothing about it.
        {omitted === 0
          ? null
          : ` ${pluralize(omitted, 'requirement')} without a row: no run selected ${omitted === 1 ? 'it' : 'them'}.`}
      </p>
      <Differences rows={rows} />
      <RowFilter id="only-different-requirements" text="Only requirements with different verdicts" />
      <ScrollBox kind="comparison" name="Table of requirements">
        <table>
          <ComparisonHead rows="Requirement" implementations={implementations} />
          {[...groupBy(rows, ({ area }) => area)].map(([area, all]) => (
            <tbody key={area}>
              <tr class={all.some(({ agreement }) => agreement === 'different') ? 'area' : 'area steady'}>
                <th scope="rowgroup" colspan={implementations.length + 2}>
                  <span class="name">{area}</span> <span class="count">{agreementCounts(all)}</span>
                </th>
              </tr>
              {all.map((row) => (
                <Row key={row.id} row={row} reports={reports} labels={implementations.map(({ label }) => label)} />
              ))}
            </tbody>
          ))}
        </table>
      </ScrollBox>
    </Section>
  );
}

interface RowProps extends Pick<RequirementsProps, 'reports'> {
  readonly row: ComparedRequirement;
  readonly labels: readonly string[];
}

function Row({ row, reports, labels }: RowProps) {
  return (
    <tr class={rowClass(row)} id={rowAnchor(row.id)}>
      <th scope="row">
        <code>{row.id}</code>{' '}
        <span class="text">
          <CatalogueText text={row.statement} />
        </span>
        {row.isSameText ? null : <span class="text quiet"> The catalogues word it differently.</span>}
      </th>
      <AgreementCell agreement={row.agreement} />
      {row.verdicts.map((verdict, at) => {
        const text = verdictText(verdict, row.level);
        const chip = <span class={`chip ${verdict ?? 'not-selected'}`}>{text}</span>;
        const report = reports[at] ?? null;
        return (
          <td key={labels[at]}>
            {report === null || verdict === null ? (
              chip
            ) : (
              <a href={`${report}#${row.id}`} aria-label={`${text}: ${row.id}, ${labels[at]}`}>
                {chip}
              </a>
            )}
          </td>
        );
      })}
    </tr>
  );
}
