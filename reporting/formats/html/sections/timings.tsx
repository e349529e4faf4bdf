/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Report } from '../../../../specs/formats/report.ts';
import { formatDuration, pluralize } from '../../../text/wording.ts';
import { Section, TableHead } from '../elements/text.tsx';

const WIDTH = 1000;

/** When the areas were judged, and the latency of each operation. */
export function Timings({ timings, summary }: Pick<Report, 'timings' | 'summary'>) {
  if (timings.operations.length === 0) return null;
  const end = Math.max(1, ...timings.areas.map(({ toMs }) => toMs));
  const count = `${pluralize(summary.exchanges, 'exchange')}, ${formatDuration(summary.durationMs)}`;
  return (
    <Section id="timings" title="Timings" count={count}>
      <p class="lead">The bars show when each area was tested. The table shows the response time of each operation.</p>
      <div class="card">
        <dl class="waterfall">
          {timings.areas.map(({ area, requests, fromMs, toMs }) => (
            <div key={area}>
              <dt>{area}</dt>
              <dd>
                <svg viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    x={((fromMs / end) * WIDTH).toFixed(1)}
                    y="1"
                    width={Math.max(2, ((toMs - fromMs) / end) * WIDTH).toFixed(1)}
                    height="10"
                    rx="2"
                  />
                </svg>
                <span class="quiet">
                  {formatDuration(fromMs)} to {formatDuration(toMs)}, {pluralize(requests, 'request')}
                </span>
              </dd>
            </div>
          ))}
        </dl>
        <Latencies operations={timings.operations} />
      </div>
    </Section>
  );
}

function Latencies({ operations }: Pick<Report['timings'], 'operations'>) {
  return (
    <table>
      <TableHead columns={['Operation', 'Requests', 'Median', '95th percentile', 'Maximum']} />
      <tbody>
        {operations.map(({ operation, requests, medianMs, p95Ms, maxMs }) => (
          <tr key={operation}>
            <th scope="row">{operation}</th>
            <td>{requests}</td>
            <td>{formatDuration(medianMs)}</td>
            <td>{formatDuration(p95Ms)}</td>
            <td>{formatDuration(maxMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
