import type { ReportView } from '../../report/report-view.ts';
import { VERDICT_LABELS } from '../../text/wording.ts';
import { type Markup, markup } from './markup.ts';

/** Every requirement as a square by area. A dashed border marks an implied requirement, a dotted one a recorded one. */
export function requirementMap({ areas }: ReportView): Markup {
  return markup`<section id="map" aria-labelledby="map-h">
  <h2 id="map-h">Requirements by area</h2>
  <p class="lead">Each square is a requirement, and its colour shows the verdict. Solid border: stated in the contract. Dashed: deduced from the contract. Dotted: recorded, never judged.</p>
  <div class="card"><dl class="map">${[...areas].map(
    ([area, requirements]) =>
      markup`<div><dt>${area}</dt><dd>${requirements.map(
        ({ id, verdict, level }) =>
          markup`<a class="square ${verdict} ${level}" href="#${id}" aria-label="${id}: ${VERDICT_LABELS[verdict]}" title="${id}: ${VERDICT_LABELS[verdict]}"></a>`,
      )}</dd></div>`,
  )}</dl></div>
</section>`;
}
