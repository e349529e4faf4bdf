/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Night } from '../../../specs/formats/night.ts';
import { Section, TableHead } from '../../formats/html/elements/text.tsx';
import { formatDuration } from '../../text/wording.ts';

/** In units of the picture. */
const WIDTH = 240;
const HEIGHT = 32;

interface Series {
  readonly medians: readonly (number | null)[];
  readonly p95s: readonly (number | null)[];
}

/** The latency of each operation over nights, as small pictures. */
export function Latencies({ nights }: { nights: readonly Night[] }) {
  const names = [
    ...new Set(nights.toReversed().flatMap(({ operations }) => operations.map(({ operation }) => operation))),
  ];
  if (names.length === 0) return null;
  return (
    <Section id="latency" title="Latency over time">
      <p class="lead">
        The line is the median, the area ends at the 95th percentile. The oldest run is on the left. Each picture has
        its own scale.
      </p>
      <div class="card">
        <table class="latencies">
          <TableHead columns={['Operation', 'Over time', 'Median, last run', '95th percentile, last run']} />
          <tbody>
            {names.map((name) => {
              const series = seriesOf(nights, name);
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    <Picture series={series} />
                  </td>
                  <td>{lastValue(series.medians)}</td>
                  <td>{lastValue(series.p95s)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function seriesOf(nights: readonly Night[], name: string): Series {
  const found = nights.map(({ operations }) => operations.find(({ operation }) => operation === name));
  return { medians: found.map((each) => each?.medianMs ?? null), p95s: found.map((each) => each?.p95Ms ?? null) };
}

function lastValue(values: readonly (number | null)[]) {
  const last = values.at(-1) ?? null;
  return last === null ? '–' : formatDuration(last);
}

function Picture({ series: { medians, p95s } }: { series: Series }) {
  const top = Math.max(1, ...[...medians, ...p95s].map((value) => value ?? 0));
  const x = (at: number) => (medians.length === 1 ? WIDTH / 2 : (at / (medians.length - 1)) * WIDTH);
  const y = (value: number) => HEIGHT - (value / top) * (HEIGHT - 2) - 1;
  const point = (value: number, at: number) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`;
  return (
    <svg class="latency" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {unbrokenParts(p95s).map((part) => (
        <polygon
          key={`${part[0]?.at}`}
          points={[
            `${x(part[0]?.at ?? 0).toFixed(1)},${HEIGHT}`,
            ...part.map(({ value, at }) => point(value, at)),
            `${x(part.at(-1)?.at ?? 0).toFixed(1)},${HEIGHT}`,
          ].join(' ')}
        />
      ))}
      {unbrokenParts(medians).map((part) => (
        <polyline key={`${part[0]?.at}`} points={part.map(({ value, at }) => point(value, at)).join(' ')} />
      ))}
    </svg>
  );
}

/** The nights with a value, in parts without a gap. */
function unbrokenParts(values: readonly (number | null)[]): { value: number; at: number }[][] {
  const parts: { value: number; at: number }[][] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const current = parts.at(-1);
    if (current?.at(-1)?.at === at - 1) current.push({ value, at });
    else parts.push([{ value, at }]);
  }
  return parts;
}
