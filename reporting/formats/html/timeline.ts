import type { Report } from '../../../specs/report.ts';
import { formatDuration, pluralize } from '../../text/wording.ts';
import { type Markup, markup } from './markup.ts';

const WIDTH = 1000;

/** When the areas were judged, and the latency of each operation. */
export function timeline({ timings, summary }: Report): Markup | null {
  if (timings.operations.length === 0) return null;
  const end = Math.max(1, ...timings.areas.map(({ toMs }) => toMs));
  return markup`<section id="timings" aria-labelledby="timings-h">
  <h2 id="timings-h">Timings <span class="count">${pluralize(summary.exchanges, 'exchange')}, ${formatDuration(summary.durationMs)}</span></h2>
  <p class="lead">The bars show when each area was tested. The table shows the response time of each operation.</p>
  <div class="card"><dl class="waterfall">${timings.areas.map(
    ({
      area,
      requests,
      fromMs,
      toMs,
    }) => markup`<div><dt>${area}</dt><dd><svg viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" aria-hidden="true"><rect x="${((fromMs / end) * WIDTH).toFixed(1)}" y="1" width="${Math.max(2, ((toMs - fromMs) / end) * WIDTH).toFixed(1)}" height="10" rx="2"/></svg>
    <span class="quiet">${formatDuration(fromMs)} to ${formatDuration(toMs)}, ${pluralize(requests, 'request')}</span></dd></div>`,
  )}</dl>
  <table><thead><tr><th scope="col">Operation</th><th scope="col">Requests</th><th scope="col">Median</th><th scope="col">95th percentile</th><th scope="col">Maximum</th></tr></thead>
  <tbody>${timings.operations.map(
    ({ operation, requests, medianMs, p95Ms, maxMs }) =>
      markup`<tr><th scope="row">${operation}</th><td>${requests}</td><td>${formatDuration(medianMs)}</td><td>${formatDuration(p95Ms)}</td><td>${formatDuration(maxMs)}</td></tr>`,
  )}</tbody></table></div>
</section>`;
}
