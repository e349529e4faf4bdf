import { z } from 'zod';
import type { CheckVerdict } from '../verdicts.ts';

const nonEmpty = z.string().trim().min(1);

/** A failure that the team knows and that does not fail the gate. */
export const knownFailure = z.strictObject({
  id: nonEmpty.describe('Id of a check or a requirement; `*` stands for any characters: `LIFE-02.*`.'),
  reason: nonEmpty.describe('Why the failure is accepted for now.'),
  issue: z.url({ protocol: /^https?$/ }).describe('Link to the issue that tracks the defect.'),
  owner: nonEmpty.describe('The person or team that corrects the defect.'),
  expires: z.iso.date().describe('The last day on which the failure is accepted, such as `2027-01-31`.'),
  intermittent: z
    .boolean()
    .optional()
    .describe('Whether the check also passes at times. Without it, a check that passes fails the gate.'),
});
export type KnownFailure = z.infer<typeof knownFailure>;

/** The baseline of known failures: a YAML or JSON file next to the target file. */
export const baselineFile = z.strictObject({
  $schema: z.string().optional().describe('The location of the JSON Schema of this file, for editors.'),
  knownFailures: z.array(knownFailure).describe('The failures that the team knows, and until when each is accepted.'),
});

/**
 * Whether the checks of an entry pass now, so that the entry is to be removed. `verdicts`: one for each check that the entry names;
 * undefined for a check that the run did not judge, which keeps the entry.
 */
export function isStale(
  { intermittent }: Pick<KnownFailure, 'intermittent'>,
  verdicts: readonly (CheckVerdict | undefined)[],
): boolean {
  if (intermittent || !verdicts.includes('pass')) return false;
  return verdicts.every((verdict) => verdict === 'pass' || verdict === 'not-applicable');
}
