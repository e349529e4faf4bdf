/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Requirement } from '../../../specs/catalogue/requirement.ts';
import type { CheckVerdict } from '../../../specs/verdicts.ts';
import { VERDICT_OF_RUN } from '../../formats/html/elements/run-verdict.tsx';
import { RowFilter, ScrollBox } from '../../formats/html/elements/table.tsx';
import { CatalogueText, Section } from '../../formats/html/elements/text.tsx';
import { groupBy } from '../../text/group-by.ts';
import { formatTime, VERDICT_LABELS } from '../../text/wording.ts';
import { compareNights, isKitChanged } from '../compare-nights.ts';
import { type GridRow, nightGrid } from '../night-grid.ts';
import type { LinkedNight } from '../nights.ts';

interface GridProps {
  /** Oldest first. */
  readonly nights: readonly LinkedNight[];
  readonly requirements: readonly Requirement[];
}

/** The sign of a verdict in a cell, for readers who cannot tell the colours apart. */
const MARKS: Record<CheckVerdict, string> = {
  fail: '✕',
  error: 'E',
  blocked: '?',
  warn: '!',
  pass: '',
  'not-applicable': '–',
};

/** Requirements over nights. Each cell leads to the report of its night. */
export function Grid({ nights, requirements }: GridProps) {
  const areas = nightGrid(
    nights.map(({ night }) => night),
    requirements,
  );
  return (
    <Section id="grid" title="Requirements over time">
      <p class="lead">
        A column is a run, the newest on the right. An empty cell was not part of the run.{' '}
        {Object.entries(MARKS).map(([verdict, mark]) => (
          <span key={verdict} class="legend">
            <span class={`cell ${verdict}`}>{mark}</span> {VERDICT_LABELS[verdict as CheckVerdict]}
          </span>
        ))}
      </p>
      <RowFilter id="only-changing" text="Only requirements that failed or changed" />
      <ScrollBox kind="grid" name="Table of requirements over time">
        <table>
          <thead>
            <tr>
              <td />
              {monthsOf(nights).map(({ month, runs }) => (
                <th key={month} scope="colgroup" colspan={runs}>
                  {month}
                </th>
              ))}
            </tr>
            <tr>
              <th scope="col">Run</th>
              {nights.map((each) => (
                <ColumnHeader key={each.night.run.id} {...each} />
              ))}
            </tr>
            <tr>
              <th scope="row">Verdict</th>
              {nights.map(({ night, report }) => (
                <Cell
                  key={night.run.id}
                  verdict={VERDICT_OF_RUN[night.verdict]}
                  address={report}
                  label={`${formatTime(night.run.startedAt)}: ${night.verdict}`}
                />
              ))}
            </tr>
            <tr>
              <th scope="row">Server or kit changed</th>
              {nights.map((each, at) => (
                <td key={each.night.run.id}>{versionMark(nights[at - 1], each)}</td>
              ))}
            </tr>
          </thead>
          {areas.map(({ area, rows }) => (
            <tbody key={area}>
              <tr class={rows.every(({ isSteady }) => isSteady) ? 'steady' : undefined}>
                <th scope="rowgroup">{area}</th>
                <td colspan={nights.length} />
              </tr>
              {rows.flatMap((row) => [
                <Row key={row.id} row={row} nights={nights} kind="requirement" />,
                ...row.failedChecks.map((check) => <Row key={check.id} row={check} nights={nights} kind="check" />),
              ])}
            </tbody>
          ))}
        </table>
      </ScrollBox>
    </Section>
  );
}

/** `2026-09` with the number of its runs, in the order of the runs. */
function monthsOf(nights: readonly LinkedNight[]): { month: string; runs: number }[] {
  const months = groupBy(nights, ({ night }) => night.run.startedAt.slice(0, 7));
  return [...months].map(([month, { length }]) => ({ month, runs: length }));
}

function ColumnHeader({ night, report }: LinkedNight) {
  const { startedAt } = night.run;
  const day = startedAt.slice(8, 10);
  const name = formatTime(startedAt);
  return (
    <th scope="col" title={name}>
      {report === null ? (
        day
      ) : (
        <a href={report} aria-label={`Report of ${name}`}>
          {day}
        </a>
      )}
    </th>
  );
}

function Row({ row, nights, kind }: { row: GridRow; nights: readonly LinkedNight[]; kind: 'requirement' | 'check' }) {
  return (
    <tr class={`${kind}${row.isSteady ? ' steady' : ''}`}>
      <th scope="row" title={row.title}>
        <code>{row.id}</code>{' '}
        <span class="quiet">
          <CatalogueText text={row.title} />
        </span>
      </th>
      {row.verdicts.map((verdict, at) => {
        const { night, report } = nights[at] as LinkedNight;
        const label = `${row.id}, ${night.run.startedAt.slice(0, 10)}: ${verdict === null ? 'not part of the run' : VERDICT_LABELS[verdict]}`;
        return (
          <Cell
            key={night.run.id}
            verdict={verdict}
            address={report === null || verdict === null ? null : `${report}#${row.id}`}
            label={label}
          />
        );
      })}
    </tr>
  );
}

interface CellProps {
  readonly verdict: CheckVerdict | null;
  readonly address: string | null;
  readonly label: string;
}

function Cell({ verdict, address, label }: CellProps) {
  if (verdict === null) return <td />;
  const mark = MARKS[verdict];
  return (
    <td class={`cell ${verdict}`}>
      {address === null ? (
        <span title={label}>{mark}</span>
      ) : (
        <a href={address} title={label} aria-label={label}>
          {mark}
        </a>
      )}
    </td>
  );
}

/** `S` for another version of the server, `K` for another kit. */
function versionMark(before: LinkedNight | undefined, now: LinkedNight) {
  if (before === undefined) return null;
  const { server, kit } = compareNights([before.night], now.night);
  const changed = [
    ...(server.before === server.now
      ? []
      : [`server ${server.before ?? 'without version'} to ${server.now ?? 'no version'}`]),
    ...(isKitChanged(kit) ? [`kit ${kit.before} to ${kit.now}`] : []),
  ];
  if (changed.length === 0) return null;
  const letters = changed.map((text) => text.charAt(0).toUpperCase()).join('');
  return <abbr title={changed.join(', ')}>{letters}</abbr>;
}
