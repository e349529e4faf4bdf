/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Report } from '../../../../specs/formats/report.ts';
import { unexpectedlyLostChecks } from '../../../report/coverage.ts';
import { splitLeftovers } from '../../../report/leftovers.ts';
import { groupBy } from '../../../text/group-by.ts';
import { capitalize, formatCounts, formatWithdrawn, pluralize, VERDICT_LABELS } from '../../../text/wording.ts';
import { JsonValue } from '../elements/body.tsx';
import { CopyBlock, Facts, Section, TableHead } from '../elements/text.tsx';

/** Observations, lost and excluded checks, leftovers, withdrawals, and the identity of the run. */
export function Appendix({ report }: { report: Report }) {
  const { excluded, withdrawn, removed, kit, catalogue, run } = report;
  return (
    <>
      <Observations observations={report.observations} />
      <Table
        id="coverage"
        title="Judged in the previous run, but not in this run"
        columns={['Check', 'Previous run', 'This run', 'Reason']}
        rows={unexpectedlyLostChecks(report).map(({ check, before, now, reason }) => [
          check,
          VERDICT_LABELS[before],
          VERDICT_LABELS[now],
          reason,
        ])}
      />
      <Table
        id="excluded"
        title="Left out of this run"
        columns={['Check', 'Reason']}
        rows={excluded.map(({ check, reason }) => [check, reason])}
      />
      <Leftovers report={report} />
      <Table
        id="withdrawn"
        title="Withdrawn"
        columns={['From the sandbox treasury']}
        rows={withdrawn ? [[capitalize(formatWithdrawn(withdrawn))]] : []}
      />
      <Table
        id="removed"
        title="Cleaned up"
        columns={['By kind']}
        rows={removed.length === 0 ? [] : [[formatCounts(removed)]]}
      />
      <footer class="colophon">
        <Facts
          facts={[
            ['Kit', `${kit.name} ${kit.version}`],
            ['Catalogue', catalogue.digest],
            ['Run', run.id],
            ['Seed', String(run.seed)],
          ]}
        />
      </footer>
    </>
  );
}

function Observations({ observations }: Pick<Report, 'observations'>) {
  if (observations.length === 0) return null;
  return (
    <Section id="observations" title="Unspecified behaviour" count={pluralize(observations.length, 'observation')}>
      <p class="lead">The contract leaves these open. The kit records them and never judges them.</p>
      <div class="card">
        <dl class="observations">
          {observations.map(({ id, question, value }) => (
            <div key={`${id} ${JSON.stringify(value)}`}>
              <dt>
                {question} <code>{id}</code>
              </dt>
              <dd>
                <JsonValue json={JSON.stringify(value)} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}

/** Counts by kind and reason. The ids are folded. */
function Leftovers({ report }: { report: Report }) {
  const { permanent, removable } = splitLeftovers(report);
  return (
    <>
      <LeftoverGroup id="leftovers" title="Could not be cleaned up" leftovers={removable}>
        Run <code>conformance cleanup</code> to try again.
      </LeftoverGroup>
      <LeftoverGroup id="permanent" title="Left on the server" leftovers={permanent}>
        No action of the server removes these.
      </LeftoverGroup>
    </>
  );
}

interface LeftoverGroupProps extends Pick<Report, 'leftovers'> {
  readonly id: string;
  readonly title: string;
  readonly children: Child;
}

function LeftoverGroup({ id, title, leftovers, children }: LeftoverGroupProps) {
  if (leftovers.length === 0) return null;
  const kinds = groupBy(leftovers, ({ what, reason }) => JSON.stringify([what, reason]));
  return (
    <Section id={id} title={title} count={pluralize(leftovers.length, 'item')}>
      <p class="lead">{children}</p>
      <div class="card">
        <ul class="plain leftovers">
          {[...kinds].map(([kind, all]) => (
            <li key={kind}>
              <details>
                <summary>
                  {all.length} × {all[0]?.what ?? ''} <span class="quiet">{all[0]?.reason ?? ''}</span>
                </summary>
                <CopyBlock text={all.map((leftover) => leftover.id).join('\n')} />
              </details>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

interface TableProps {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function Table({ id, title, columns, rows }: TableProps) {
  if (rows.length === 0) return null;
  return (
    <Section id={id} title={title} count={rows.length}>
      <div class="card">
        <table>
          <TableHead columns={columns} />
          <tbody>
            {rows.map((cells) => (
              <tr key={cells.join(' ')}>
                {cells.map((cell, at) => (
                  <td key={columns[at]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
