import { requirements } from '../../../specs/catalogue/catalogue.ts';
import type { Requirement } from '../../../specs/catalogue/requirement.ts';
import { type OpenPoint, openPoints } from '../../../specs/contract/open-points.ts';
import { escapeText, headingAnchor } from './markdown.ts';

/** The open points of a requirement: those of its places in the contract, and those that its observations record. */
export function openPointsOf({ place, observations }: Requirement): OpenPoint[] {
  const places = new Set(place.split('; '));
  return openPoints.filter(
    (point) => places.has(placeOf(point)) || point.observations.some((each) => observations.includes(each)),
  );
}

/** The open points about a whole part of the contract, such as `List invoices`, if an area has most requirements of the part. */
export function openPointsOfParts(area: string): OpenPoint[] {
  return openPoints.filter((point) => areaOfPart(placeOf(point)) === area);
}

/** The area with most requirements whose first place is in a part of the contract; undefined if there is none. */
function areaOfPart(part: string): string | undefined {
  const counts = new Map<string, number>();
  for (const { area, place } of requirements) {
    const isInPart = place.split('; ')[0]?.replace(/, (?:rule|row|text)\b.*$/, '') === part;
    if (isInPart) counts.set(area, (counts.get(area) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/** The section of an open point, worded like the places of specs/contract/contract-places.yaml. */
function placeOf({ section }: OpenPoint): string {
  return section
    .replace(/^Resources, /, '')
    .replace(/^Module codes/, 'Errors, Module codes')
    .replace(/(?<!rule) (\d+)$/, ', rule $1');
}

/** `[OP-07](../open-points.md#…) Whether …`. */
export function openPointLink({ id, question }: OpenPoint): string {
  return `[${id}](../open-points.md#${headingAnchor(`${id} ${question}`)}) ${escapeText(question)}`;
}
