/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { ComparedObservation, Comparison } from '../../../specs/formats/comparison.ts';
import { RowFilter, ScrollBox } from '../../formats/html/elements/table.tsx';
import { CatalogueText, Section } from '../../formats/html/elements/text.tsx';
import { ownBehaviours } from '../own-behaviours.ts';
import { AgreementCell, ComparisonHead, Differences, differenceCount, rowAnchor, rowClass } from './agreement.tsx';

/** What each implementation does where the contract leaves something open. */
export function Observations({ comparison: { observations, implementations } }: { comparison: Comparison }) {
  if (observations.length === 0) return null;
  return (
    <Section id="observations" title="Unspecified behaviour" count={differenceCount(observations)}>
      <p class="lead">
        The contract leaves these open. The kit records them and never judges them. Marked: what not every other
        implementation does.
      </p>
      <Differences rows={observations} />
      <RowFilter id="only-different-observations" text="Only behaviour that is different" />
      <ScrollBox kind="comparison" name="Table of unspecified behaviour">
        <table>
          <ComparisonHead rows="Observation" implementations={implementations} />
          <tbody>
            {observations.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </Section>
  );
}

function Row({ row }: { row: ComparedObservation }) {
  const own = ownBehaviours(row);
  return (
    <tr class={rowClass(row)} id={rowAnchor(row.id)}>
      <th scope="row">
        <code>{row.id}</code>{' '}
        <span class="text">
          <CatalogueText text={row.question} />
        </span>
      </th>
      <AgreementCell agreement={row.agreement} />
      {row.values.map((values, at) => (
        <td key={`${at}`}>
          <Values values={values} own={own[at] ?? []} />
        </td>
      ))}
    </tr>
  );
}

interface ValuesProps {
  readonly values: ComparedObservation['values'][number];
  /** Those that not every other implementation shares. */
  readonly own: readonly unknown[];
}

function Values({ values, own }: ValuesProps) {
  if (values === null) return <span class="quiet">not recorded</span>;
  return (
    <ul class="plain">
      {values.map((value) => {
        const text = JSON.stringify(value);
        return (
          <li key={text}>
            {own.includes(value) ? (
              <mark>
                <code>{text}</code>
              </mark>
            ) : (
              <code>{text}</code>
            )}
          </li>
        );
      })}
    </ul>
  );
}
