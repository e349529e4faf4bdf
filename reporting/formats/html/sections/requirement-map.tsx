/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { ReportView } from '../../../report/report-view.ts';
import { requirementLabel } from '../../../report/requirement-counts.ts';
import { Section } from '../elements/text.tsx';

/** Every requirement as a square by area. A dashed border marks an implied requirement, a dotted one a recorded one. */
export function RequirementMap({ areas }: Pick<ReportView, 'areas'>) {
  return (
    <Section id="map" title="Requirements by area">
      <p class="lead">
        Each square is a requirement. Green: passed. Red: failed. Violet: blocked. Amber: warning. Grey: not applicable
        or not testable. White: not selected. Solid border: stated in the contract. Dashed: deduced from the contract.
        Dotted: recorded, never judged.
      </p>
      <div class="card">
        <dl class="map">
          {[...areas].map(([area, requirements]) => (
            <div key={area}>
              <dt>{area}</dt>
              <dd>
                {requirements.map((requirement) => {
                  const { id, verdict, level } = requirement;
                  const name = `${id}: ${requirementLabel(requirement)}`;
                  return (
                    <a key={id} class={`square ${verdict} ${level}`} href={`#${id}`} title={name}>
                      <span class="sr">{name}</span>
                    </a>
                  );
                })}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}
