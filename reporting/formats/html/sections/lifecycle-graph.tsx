/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../../../specs/contract/lifecycle.ts';
import type { CheckReport } from '../../../../specs/formats/report.ts';
import { isRed } from '../../../../specs/verdicts.ts';
import type { ReportView } from '../../../report/report-view.ts';
import { VERDICT_LABELS } from '../../../text/wording.ts';
import { anchorOf } from '../elements/check-attributes.ts';
import { Section, VerdictChip } from '../elements/text.tsx';

type Point = readonly [x: number, y: number];

/** The centres of the states in the picture. */
const PLACES: Record<InvoiceState, Point> = {
  DRAFT: [80, 110],
  SUBMITTED: [320, 110],
  APPROVED: [580, 50],
  DISPUTED: [580, 170],
  SETTLED: [820, 50],
  CANCELLED: [320, 215],
};
const [NODE_WIDTH, NODE_HEIGHT] = [112, 36];
/** Where an action ends that leads to no state of the table. */
const OPEN_ENDS: Partial<Record<InvoiceAction, Point>> = {
  delete: [80, 215],
  resolve: [820, 170],
};

interface CellProps {
  readonly state: InvoiceState;
  readonly action: InvoiceAction;
  readonly view: ReportView;
}

/** The lifecycle as a graph of the offered actions, and a table of all states and actions, with the verdict of each. */
export function LifecycleGraph({ view }: { view: ReportView }) {
  const { states, actions, offered } = lifecycle;
  const isJudged = states.some((state) => actions.some((action) => checkOf({ state, action, view })));
  if (!isJudged) return null;
  return (
    <Section id="lifecycle" title="Invoice lifecycle">
      <p class="lead">
        An arrow shows an action that the contract allows in a state; without a state at its end, the contract names no
        resulting state. The server must reject all other actions. The table shows the result for each state and action.
      </p>
      <div class="card">
        <div class="graph">
          <svg
            viewBox="0 0 900 250"
            role="img"
            aria-label="Graph of the invoice lifecycle; the table below has the same content"
          >
            <defs>
              <marker
                id="arrow"
                viewBox="0 0 10 10"
                refX="9"
                refY="5"
                markerWidth="7"
                markerHeight="7"
                orient="auto-start-reverse"
              >
                <path d="M0 0L10 5L0 10z" fill="context-stroke" />
              </marker>
            </defs>
            {states.flatMap((state) =>
              offered[state].map((action) => (
                <Edge key={`${state} ${action}`} state={state} action={action} view={view} />
              )),
            )}
            {states.map((state) => (
              <Node key={state} state={state} />
            ))}
          </svg>
        </div>
        <LifecycleTable view={view} />
      </div>
    </Section>
  );
}

function LifecycleTable({ view }: { view: ReportView }) {
  return (
    <section class="wide" tabindex={0} aria-label="States and actions">
      <table>
        <thead>
          <tr>
            <th scope="col">state</th>
            {lifecycle.actions.map((action) => (
              <th key={action} scope="col">
                {action}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lifecycle.states.map((state) => (
            <tr key={state}>
              <th scope="row">{state}</th>
              {lifecycle.actions.map((action) => (
                <td key={action}>
                  <Cell state={state} action={action} view={view} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The check of an offered action or of its effect, or the check of its rejection. */
function checkOf({ state, action, view }: CellProps): CheckReport | undefined {
  const name = `${state.toLowerCase()}-${action}`;
  if (lifecycle.offered[state].includes(action)) {
    const [accepted, effect] = [view.findCheck(`LIFE-01.${name}`), view.findCheck(`LIFE-04.${action}`)];
    return effect && isRed(effect) ? effect : accepted;
  }
  return view.findCheck(`LIFE-02.${name}`) ?? view.findCheck(`LIFE-03.${name}`);
}

function Cell(props: CellProps) {
  const check = checkOf(props);
  if (!check) return <span class="quiet">not judged</span>;
  const rule = lifecycle.offered[props.state].includes(props.action) ? 'must be accepted' : 'must be rejected';
  return (
    <>
      <a href={`#${anchorOf(check)}`} title={check.id}>
        <VerdictChip verdict={check.verdict} />
      </a>{' '}
      <span class="quiet">{rule}</span>
    </>
  );
}

function Node({ state }: { state: InvoiceState }) {
  const [x, y] = PLACES[state];
  return (
    <g class="node">
      <rect x={x - NODE_WIDTH / 2} y={y - NODE_HEIGHT / 2} width={NODE_WIDTH} height={NODE_HEIGHT} rx="9" />
      <text x={x} y={y + 4} text-anchor="middle">
        {state}
      </text>
    </g>
  );
}

function Edge({ state, action, view }: CellProps) {
  const { start, end, label, isVertical } = geometryOf(state, action);
  const verdict = checkOf({ state, action, view })?.verdict ?? 'not-selected';
  return (
    <g class={`edge ${verdict}`}>
      <line x1={start[0]} y1={start[1]} x2={end[0]} y2={end[1]} marker-end="url(#arrow)" />
      <text x={label[0]} y={label[1]} text-anchor={isVertical ? 'start' : 'middle'}>
        {verdict === 'pass' ? action : `${action}: ${VERDICT_LABELS[verdict]}`}
      </text>
    </g>
  );
}

/** From the border of one state to the border of the other, with the label in the middle. */
function geometryOf(state: InvoiceState, action: InvoiceAction) {
  const [fromX, fromY] = PLACES[state];
  const goal = lifecycle.leadsTo[action];
  const [toX, toY] = OPEN_ENDS[action] ?? PLACES[goal ?? state];
  const isVertical = fromX === toX;
  const direction = Math.sign(isVertical ? toY - fromY : toX - fromX);
  const gap = goal === undefined ? 0 : (isVertical ? NODE_HEIGHT : NODE_WIDTH) / 2;
  const start: Point = isVertical
    ? [fromX, fromY + (direction * NODE_HEIGHT) / 2]
    : [fromX + (direction * NODE_WIDTH) / 2, fromY];
  const end: Point = isVertical ? [toX, toY - direction * gap] : [toX - direction * gap, toY];
  // Above a line that rises or is level, below a line that falls.
  const offset = isVertical ? 0 : toY > fromY ? 24 : -14;
  const label: Point = [(start[0] + end[0]) / 2 + (isVertical ? 8 : 0), (start[1] + end[1]) / 2 + offset];
  return { start, end, label, isVertical };
}
