/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { CheckReport } from '../../../../specs/formats/report.ts';
import type { ReportView } from '../../../report/report-view.ts';
import { type TranscriptRole, type TranscriptStep, transcriptOf } from '../../../report/transcript.ts';
import { Exchange, pathOf, Status } from './exchange.tsx';

/** evidence.jsonl contains the rest. */
const MAX_STEPS = 24;
const MAX_BRIEF_STEPS = 6;

const ROLE_LABELS: Record<TranscriptRole, string> = {
  'set-up': 'set-up',
  control: 'control',
  act: 'request under test',
  look: 'effect',
  other: 'other',
};

interface TranscriptProps {
  readonly check: CheckReport;
  readonly view: ReportView;
  /** Only the deciding exchange can be expanded. */
  readonly isBrief: boolean;
}

/** The exchanges of a failed check as numbered steps, the deciding one expanded. */
export function Transcript({ check, view, isBrief }: TranscriptProps) {
  const steps = transcriptOf(check, isBrief ? MAX_BRIEF_STEPS : MAX_STEPS);
  const total = check.setUp.length + check.exchanges.length;
  if (steps.length === 0) return null;
  return (
    <>
      <p class="part">Exchanges</p>
      <ol class="transcript">
        {steps.map((step, at) => (
          <>
            <Gap from={steps[at - 1]?.number ?? 0} to={step.number} />
            <li key={step.exchange.id} value={step.number} class={step.role}>
              <Step step={step} check={check} view={view} isBrief={isBrief} />
            </li>
          </>
        ))}
      </ol>
      {steps.length < total ? (
        <p class="quiet">
          {total} exchanges; {steps.length} are shown here, all are in evidence.jsonl
        </p>
      ) : null}
    </>
  );
}

/** A line in place of the steps that are not shown. */
function Gap({ from, to }: { from: number; to: number }) {
  return to - from <= 1 ? null : <li class="gap quiet">… {to - from - 1} not shown</li>;
}

function Step({ step, check, view, isBrief }: TranscriptProps & { step: TranscriptStep }) {
  const { exchange, isDeciding, role } = step;
  const full = isBrief && !isDeciding ? undefined : view.findExchange(exchange.id);
  const line = (
    <>
      <span class="role">{ROLE_LABELS[role]}</span> <Status status={exchange.status} /> <b>{exchange.method}</b>{' '}
      <span class="url">{pathOf(exchange.url)}</span>{' '}
      <span class="quiet">
        {exchange.label}
        {exchange.attempt === 1 ? '' : `, attempt ${exchange.attempt}`}
      </span>
    </>
  );
  if (full === undefined) return <div class="step">{line}</div>;
  const marked = new Set(isDeciding ? check.differences.map(({ path }) => path) : []);
  return (
    <details open={isDeciding}>
      <summary>{line}</summary>
      <Exchange exchange={full} marked={marked} />
    </details>
  );
}
