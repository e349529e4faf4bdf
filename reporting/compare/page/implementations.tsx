/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { ComparedImplementation } from '../../../specs/formats/comparison.ts';
import { RunVerdictChip } from '../../formats/html/elements/run-verdict.tsx';
import { Facts, Section } from '../../formats/html/elements/text.tsx';
import { formatTime } from '../../text/wording.ts';

interface ImplementationsProps {
  readonly implementations: readonly ComparedImplementation[];
  /** The address of the report of each; null without one. */
  readonly reports: readonly (string | null)[];
}

/** What was judged, when, by which kit, and the verdict. */
export function Implementations({ implementations, reports }: ImplementationsProps) {
  return (
    <Section id="implementations" title="Implementations">
      <div class="implementations">
        {implementations.map((each, at) => (
          <article key={each.run.id} class="card">
            <h3>{each.label}</h3>
            <p>
              <RunVerdictChip verdict={each.verdict} />
              {withoutVerdict(each)}
            </p>
            <Facts facts={factsOf(each)} />
            <Report address={reports[at] ?? null} label={each.label} />
          </article>
        ))}
      </div>
    </Section>
  );
}

function Report({ address, label }: { address: string | null; label: string }) {
  if (address === null) return null;
  return (
    <p class="quiet">
      <a href={address}>Report of {label}</a>
    </p>
  );
}

/** The chip shows the verdict, with which each headline begins. */
function withoutVerdict({ headline, verdict }: ComparedImplementation): string {
  return headline.startsWith(verdict) ? headline.slice(verdict.length) : ` ${headline}`;
}

function factsOf({ target, run, kit }: ComparedImplementation): [string, string][] {
  const { vendor, product, version } = target.implementation ?? {};
  const optional: [string, string | undefined][] = [
    ['Vendor', vendor],
    ['Product', product],
    ['Version', version],
  ];
  return [
    ['Base URL', target.baseUrl],
    ...optional.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
    ['Profile', `${run.profile}${run.filtered.length === 0 ? '' : `, only ${run.filtered.join(', ')}`}`],
    ['Judged', formatTime(run.startedAt)],
    ['Kit', `${kit.name} ${kit.version}`],
  ];
}
