import { z } from 'zod';
import { requirementVerdict } from '../verdicts.ts';
import { headerRecord, observationRecord } from './journal.ts';
import { report, requirementReport } from './report.ts';

/** How the runs agree on a row. A missing verdict or observation is no difference. */
export const agreement = z
  .enum(['different', 'equal', 'incomplete', 'not-selected'])
  .describe(
    '`different`: two runs disagree. `equal`: every run has the same. `incomplete`: some runs have none, and the others agree. `not-selected`: no run selected the requirement.',
  );
export type Agreement = z.infer<typeof agreement>;

/** What the runs do not share, so that one of them may lack a verdict of the other. */
export const scopeDifference = z.enum(['kit', 'catalogue', 'profile', 'strict', 'selection']);
export type ScopeDifference = z.infer<typeof scopeDifference>;

const { name, baseUrl, implementation } = headerRecord.shape.target.shape;
const { id: runId, startedAt, profile, filtered, strict } = headerRecord.shape.run.shape;
const { id, area, level, statement } = requirementReport.shape;

export const comparedImplementation = z.strictObject({
  label: z.string().describe('The name in the comparison: one line, with a number if several runs have the same name.'),
  target: z.strictObject({ name, baseUrl, implementation }),
  kit: report.shape.kit,
  catalogue: report.shape.catalogue,
  run: z.strictObject({ id: runId, startedAt, profile, filtered, strict }),
  verdict: report.shape.verdict,
  headline: report.shape.headline,
});
export type ComparedImplementation = z.infer<typeof comparedImplementation>;

export const comparedRequirement = z.strictObject({
  id,
  area,
  level,
  statement,
  isSameText: z.boolean().describe('Whether the catalogues of all runs give it the same level and statement.'),
  agreement,
  verdicts: z
    .array(requirementVerdict.nullable())
    .describe('One for each implementation; null if the catalogue of its run lacks the requirement.'),
});
export type ComparedRequirement = z.infer<typeof comparedRequirement>;

export const comparedObservation = z.strictObject({
  id: observationRecord.shape.id,
  question: observationRecord.shape.question,
  agreement,
  values: z
    .array(z.array(observationRecord.shape.value).nullable())
    .describe('For each implementation, each behaviour that its run has seen; null if it recorded none.'),
});
export type ComparedObservation = z.infer<typeof comparedObservation>;

/** Several runs side by side, usually of different implementations. */
export const comparison = z.strictObject({
  schemaVersion: z.literal(1),
  implementations: z.array(comparedImplementation).min(2).describe('In the order of the arguments.'),
  scopeDifferences: z.array(scopeDifference),
  requirements: z.array(comparedRequirement).describe('All requirements of all runs, in the order of the contract.'),
  observations: z.array(comparedObservation).describe('All unspecified behaviour that a run has recorded.'),
});
export type Comparison = z.infer<typeof comparison>;
