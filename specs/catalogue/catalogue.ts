import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readDataFile } from '../data.ts';
import type { CheckId } from '../generated/ids.ts';
import type { Level } from '../verdicts.ts';
import { AREAS, type Requirement, requirementEntry } from './requirement.ts';

/** Every requirement of the contract, in the contract's order. */
export const requirements: readonly Requirement[] = AREAS.flatMap((area) =>
  z
    .array(requirementEntry)
    .parse(readDataFile(`requirements/${area}`))
    .map((entry) => ({ ...entry, area })),
);

/** A digest that changes with every requirement, level and check. */
export const catalogueDigest = `sha256:${createHash('sha256').update(JSON.stringify(requirements)).digest('hex')}`;

export interface CatalogueCheck {
  id: CheckId;
  title: string;
  requirement: Requirement;
  level: Level;
}

/** Every declared check by its id, in the contract's order. */
export const checkCatalogue: ReadonlyMap<CheckId, CatalogueCheck> = new Map(
  requirements.flatMap((entry) =>
    entry.checks.map(({ id, title }) => [
      id as CheckId,
      { id: id as CheckId, title, requirement: entry, level: entry.level },
    ]),
  ),
);

/** The entry of a declared check. Throws if the catalogue does not contain the id. */
export function catalogueCheck(id: CheckId): CatalogueCheck {
  const entry = checkCatalogue.get(id);
  if (!entry) throw new Error(`specs/requirements/ declares no check ${id}`);
  return entry;
}

/** Whether a text, such as the cause of a blocked check, is the id of a check. */
export function isCheckId(text: string | null): text is CheckId {
  return checkCatalogue.has(text as CheckId);
}
