import { type InvoiceAction, type InvoiceState, lifecycle } from '../../../specs/contract/lifecycle.ts';
import type { CheckReport } from '../../../specs/report.ts';
import type { ReportView } from '../../report/report-view.ts';
import { VERDICT_LABELS } from '../../text/wording.ts';
import { anchorOf, chip } from './findings.ts';
import { type Markup, markup } from './markup.ts';

/** The centres of the states in the picture. */
const PLACES: Record<InvoiceState, readonly [x: number, y: number]> = {
  DRAFT: [80, 110],
  SUBMITTED: [320, 110],
  APPROVED: [580, 50],
  DISPUTED: [580, 170],
  SETTLED: [820, 50],
  CANCELLED: [320, 215],
};
const [NODE_WIDTH, NODE_HEIGHT] = [112, 36];
/** Where an action ends that leads to no state of the table. */
const OPEN_ENDS: Partial<Record<InvoiceAction, readonly [x: number, y: number]>> = {
  delete: [80, 215],
  resolve: [760, 170],
};

/** The lifecycle as a graph of the offered actions, and a table of all states and actions, with the verdict of each. */
export function lifecycleGraph(view: ReportView): Markup | null {
  const judged = lifecycle.states.some((state) => lifecycle.actions.some((action) => checkOf(state, action, view)));
  if (!judged) return null;
  const edges = lifecycle.states.flatMap((state) =>
    lifecycle.offered[state].map((action) => edge(state, action, view)),
  );
  return markup`<section id="lifecycle" aria-labelledby="lifecycle-h">
  <h2 id="lifecycle-h">Invoice lifecycle</h2>
  <p class="lead">An arrow shows an action that the contract allows in a state. The server must reject all other actions. The table shows the result for each state and action.</p>
  <div class="card"><div class="graph"><svg viewBox="0 0 900 250" role="img" aria-label="Graph of the invoice lifecycle; the table below has the same content">
    <defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="context-stroke"/></marker></defs>
    ${edges}${lifecycle.states.map(node)}</svg></div>
  <div class="wide" tabindex="0" role="region" aria-label="States and actions"><table><thead><tr><th scope="col">state</th>${lifecycle.actions.map((action) => markup`<th scope="col">${action}</th>`)}</tr></thead>
  <tbody>${lifecycle.states.map(
    (state) =>
      markup`<tr><th scope="row">${state}</th>${lifecycle.actions.map((action) => markup`<td>${cell(state, action, view)}</td>`)}</tr>`,
  )}</tbody></table></div></div>
</section>`;
}

/** The check of an offered action, or the check of its rejection. */
function checkOf(state: InvoiceState, action: InvoiceAction, view: ReportView): CheckReport | undefined {
  const name = `${state.toLowerCase()}-${action}`;
  if (lifecycle.offered[state].includes(action)) return view.findCheck(`LIFE-01.${name}`);
  return view.findCheck(`LIFE-02.${name}`) ?? view.findCheck(`LIFE-03.${name}`);
}

function cell(state: InvoiceState, action: InvoiceAction, view: ReportView): Markup {
  const check = checkOf(state, action, view);
  if (!check) return markup`<span class="quiet">not judged</span>`;
  const rule = lifecycle.offered[state].includes(action) ? 'must be accepted' : 'must be rejected';
  return markup`<a href="#${anchorOf(check)}" title="${check.id}">${chip(check.verdict)}</a> <span class="quiet">${rule}</span>`;
}

function node(state: InvoiceState): Markup {
  const [x, y] = PLACES[state];
  return markup`<g class="node"><rect x="${x - NODE_WIDTH / 2}" y="${y - NODE_HEIGHT / 2}" width="${NODE_WIDTH}" height="${NODE_HEIGHT}" rx="9"/><text x="${x}" y="${y + 4}" text-anchor="middle">${state}</text></g>`;
}

function edge(state: InvoiceState, action: InvoiceAction, view: ReportView): Markup {
  const [fromX, fromY] = PLACES[state];
  const goal = lifecycle.leadsTo[action];
  const [toX, toY] = OPEN_ENDS[action] ?? PLACES[goal ?? state];
  const isVertical = fromX === toX;
  const direction = Math.sign(isVertical ? toY - fromY : toX - fromX);
  const gap = goal === undefined ? 0 : (isVertical ? NODE_HEIGHT : NODE_WIDTH) / 2;
  const start = isVertical
    ? [fromX, fromY + (direction * NODE_HEIGHT) / 2]
    : [fromX + (direction * NODE_WIDTH) / 2, fromY];
  const end = isVertical ? [toX, toY - direction * gap] : [toX - direction * gap, toY];
  // Above a line that rises or is level, below a line that falls.
  const labelOffset = isVertical ? 0 : toY > fromY ? 24 : -14;
  const verdict = checkOf(state, action, view)?.verdict ?? 'not-selected';
  const [x1 = 0, y1 = 0] = start;
  const [x2 = 0, y2 = 0] = end;
  return markup`<g class="edge ${verdict}"><line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" marker-end="url(#arrow)"/><text x="${(x1 + x2) / 2 + (isVertical ? 8 : 0)}" y="${(y1 + y2) / 2 + labelOffset}" text-anchor="${isVertical ? 'start' : 'middle'}">${verdict === 'pass' ? action : `${action}: ${VERDICT_LABELS[verdict]}`}</text></g>`;
}
