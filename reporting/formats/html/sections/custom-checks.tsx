/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { CustomAreaReport, CustomCheckReport, Report } from '../../../../specs/formats/report.ts';
import { customVerdictLabel } from '../../../report/custom-areas.ts';
import type { ReportView } from '../../../report/report-view.ts';
import { formatDuration, pluralize } from '../../../text/wording.ts';
import { Contrast } from '../elements/contrast.tsx';
import { Exchange } from '../elements/exchange.tsx';
import { CatalogueText, Section } from '../elements/text.tsx';

/** The custom checks by area. The verdict does not depend on them. */
export function CustomChecks({ report, view }: { report: Report; view: ReportView }) {
  if (report.custom.length === 0) return null;
  const count = report.custom.flatMap(({ requirements }) => requirements.flatMap(({ checks }) => checks)).length;
  return (
    <Section id="custom-checks" title="Custom checks" count={pluralize(count, 'check')}>
      <p class="lead">These checks are not part of the contract. The verdict does not depend on them.</p>
      {report.custom.map((area) => (
        <Area key={area.area} area={area} view={view} />
      ))}
    </Section>
  );
}

function Area({ area: { area, requirements }, view }: { area: CustomAreaReport; view: ReportView }) {
  return (
    <>
      <h3>{area}</h3>
      <ul class="plain requirements">
        {requirements.map(({ id, statement, place, verdict, checks }) => (
          <li key={id} class="requirement" id={id}>
            <p class="tags">
              <span class={`chip ${verdict}`}>{customVerdictLabel(verdict)}</span> <code>{id}</code>{' '}
              <span class="quiet">{place}</span>
            </p>
            <p>
              <CatalogueText text={statement} />
            </p>
            {checks.map((check) => (
              <Check key={check.id} check={check} view={view} />
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function Check({ check, view }: { check: CustomCheckReport; view: ReportView }) {
  const { id, title, verdict, reason, expected, actual, durationMs, decisive, exchanges } = check;
  const exchange = verdict === 'pass' ? undefined : view.findExchange(decisive[0] ?? exchanges.at(-1)?.id ?? '');
  return (
    <details class={`card ${verdict}`} id={id} open={verdict === 'fail' || verdict === 'error'}>
      <summary>
        <span class="tags">
          <span class={`chip ${verdict}`}>{customVerdictLabel(verdict)}</span> <code>{id}</code>{' '}
          <span class="quiet">{formatDuration(durationMs)}</span>
        </span>
        <span class="title">
          <CatalogueText text={title} />
        </span>
      </summary>
      <Contrast expected={expected} actual={actual} />
      <p class="reason">{reason === '' ? pluralize(exchanges.length, 'exchange') : reason}</p>
      {exchange === undefined ? null : <Exchange exchange={exchange} />}
    </details>
  );
}
