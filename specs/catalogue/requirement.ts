import { z } from 'zod';
import { level } from '../verdicts.ts';

/** Maximum length of a statement, a title or a derived rule: one line of a ticket or a report. */
export const MAX_SENTENCE_LENGTH = 90;

/** Maximum length of one sentence of `fixes`. */
const MAX_FIX_LENGTH = 180;

export const checkEntry = z.strictObject({
  id: z.string().regex(/^[A-Z]+-\d{2}\.[a-z0-9-]+$/),
  title: z.string().min(8).max(MAX_SENTENCE_LENGTH),
});

export const derivation = z.strictObject({
  rule: z.string().min(10).max(MAX_SENTENCE_LENGTH).describe('A rule that a reader deduces from the statement.'),
  because: z.string().min(5).max(120).describe('The step from the statement to the rule, in one line.'),
  necessary: z.boolean().describe('Whether every server that breaks the rule also breaks the statement.'),
  checks: z
    .array(z.string())
    .describe(
      'Ids of the checks that fail when this rule is broken; empty if checks of other sentences judge it too. Checks of no rule judge the statement.',
    ),
});
export type Derivation = z.infer<typeof derivation>;

const fields = {
  id: z.string().regex(/^[A-Z]+-\d{2}$/),
  /** The place in the contract; `; ` separates several places. specs/contract/contract-places.yaml lists them. */
  place: z.string(),
  level,
  /** The statement of the contract, and no more. */
  statement: z.string().min(10).max(MAX_SENTENCE_LENGTH),
  /** The rules that the checks judge beyond the statement. */
  derived: z.array(derivation).default([]),
  /** How the usual causes of its failures are fixed in a server. Never more than the contract demands. */
  fixes: z.array(z.string().min(20).max(MAX_FIX_LENGTH)).max(3).default([]),
  checks: z.array(checkEntry).default([]),
  /** Ids of the observations that record the behaviour of the target; for `observed` entries. */
  observations: z.array(z.string()).default([]),
  /** Why no black box can judge it. */
  unjudged: z.string().optional(),
};

/**
 * An entry of specs/requirements/<area>.yaml: one requirement of the contract, or one thing that it leaves open
 * (`observed`).
 */
export const requirementEntry = z.strictObject(fields).superRefine((entry, context) => {
  const answers = [entry.checks.length > 0, entry.observations.length > 0, entry.unjudged !== undefined];
  if (answers.filter(Boolean).length !== 1) {
    context.addIssue(`${entry.id}: exactly one of checks, observations and unjudged must be given`);
  }
  if ((entry.level === 'observed') !== entry.observations.length > 0) {
    context.addIssue(`${entry.id}: observations belong to the level observed, and to it alone`);
  }
  if (entry.checks.length > 0 !== entry.fixes.length > 0) {
    context.addIssue(`${entry.id}: fixes belong to requirements with checks, and to each of them`);
  }
  const judging = entry.derived.flatMap(({ checks }) => checks);
  for (const [at, id] of judging.entries()) {
    if (!entry.checks.some((check) => check.id === id)) context.addIssue(`${id} is not a check of ${entry.id}`);
    if (judging.indexOf(id) !== at)
      context.addIssue(`${id} is listed twice; name the one rule that its failure breaks`);
  }
  for (const check of entry.checks) {
    if (!check.id.startsWith(`${entry.id}.`)) context.addIssue(`${check.id} does not belong to ${entry.id}`);
  }
});

/** A requirement, as in the catalogue and the journal. `area` names its file in specs/requirements/ and the folder of its suites. */
export const requirement = z.strictObject({ ...fields, area: z.string() });

/** The derived rule that a check judges; undefined if it judges the statement itself. */
export function derivationOf({ derived }: Pick<Requirement, 'derived'>, check: string): Derivation | undefined {
  return derived.find(({ checks }) => checks.includes(check));
}

export type Requirement = z.infer<typeof requirement>;

/** The areas of the contract, in the contract's order. */
export const AREAS = [
  'service',
  'records',
  'lifecycle',
  'lists',
  'creation',
  'connections',
  'webhooks',
  'reset',
  'authentication',
  'environments',
  'isolation',
  'permissions',
  'errors',
  'idempotency',
  'treasury',
  'rate-limits',
  'versioning',
] as const;
