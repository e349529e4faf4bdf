import { z } from 'zod';
import { readDataFile } from '../data.ts';
import type { CheckId } from '../generated/ids.ts';
import { matchChecks } from './selection.ts';

const entry = z.strictObject({
  owner: z.string(),
  /** What cannot be judged while the owner fails, as the end of a sentence. */
  because: z.string(),
  /** Whether the checks do not start after the owner has failed. */
  stops: z.boolean().default(false),
  /** If given, only a breach whose reason contains this text depends on the owner. */
  where: z.string().optional(),
  checks: z.array(z.string()).min(1),
});

/** A precondition of checks, and the check that judges it. */
export interface Precondition {
  owner: CheckId;
  because: string;
  stops: boolean;
  where?: string | undefined;
}

const preconditionsByCheck = readPreconditions();

function readPreconditions(): ReadonlyMap<CheckId, readonly Precondition[]> {
  const found = new Map<CheckId, Precondition[]>();
  for (const { owner, because, stops, where, checks } of z
    .array(entry)
    .parse(readDataFile('catalogue/preconditions'))) {
    const [id, ...others] = matchChecks(owner);
    if (!id || others.length > 0) throw new Error(`specs/catalogue/preconditions.yaml: ${owner} is not one check`);
    for (const pattern of checks) {
      const named = matchChecks(pattern);
      if (named.length === 0) throw new Error(`specs/catalogue/preconditions.yaml: ${pattern} names no check`);
      for (const check of named.filter((each) => each !== id)) {
        found.set(check, [...(found.get(check) ?? []), { owner: id, because, stops, where }]);
      }
    }
  }
  return found;
}

/** The preconditions of a check itself. */
export function preconditionsOf(id: CheckId): readonly Precondition[] {
  return preconditionsByCheck.get(id) ?? [];
}
