import type { CheckContext } from './check-context.ts';

/** Generated bodies bear the run's alone. Of signs, one finds parentheses where banks allow the fewest. */
const MARK_PATTERN = /\(conformance [0-9a-f]{8}( \d+)?\)/;

/** The mark in the description of a body, by which what came of it can be told from anything else. */
export function bodyMark({ description }: { description: string }): string {
  return MARK_PATTERN.exec(description)?.[0] ?? '';
}

/** Whether a description bears the mark of any body that a run has made. */
export function hasMark(description: unknown): boolean {
  return typeof description === 'string' && MARK_PATTERN.test(description);
}

/** Whether a description, where a server shows it, bears the mark of another body than this one. */
export function hasOtherMark(description: unknown, body: { description: string }): boolean {
  const found = MARK_PATTERN.exec(typeof description === 'string' ? description : '')?.[0];
  return found !== undefined && !String(body.description).includes(found);
}

/** By which everything that the kit creates can be told from other people's. */
export function runMark(ctx: CheckContext): string {
  return `conformance ${ctx.run.plan.runId.slice(0, 8)}`;
}
