import type { CheckContext } from './check-context.ts';

/**
 * Generated bodies have only the mark of the run. Parentheses are safe, because banks allow few other special
 * characters.
 */
const MARK_PATTERN = /\(conformance [0-9a-f]{8}( \d+)?\)/;

/** The mark in the description of a body, which identifies the resulting invoice. */
export function bodyMark({ description }: { description: string }): string {
  return MARK_PATTERN.exec(description)?.[0] ?? '';
}

/** Whether a description has the mark of any body of a run. */
export function hasMark(description: unknown): boolean {
  return typeof description === 'string' && MARK_PATTERN.test(description);
}

/** Whether a description, if the server shows it, has the mark of another body. */
export function hasOtherMark(description: unknown, body: { description: string }): boolean {
  const found = MARK_PATTERN.exec(typeof description === 'string' ? description : '')?.[0];
  return found !== undefined && !String(body.description).includes(found);
}

/** The text that distinguishes everything that this run creates from other data. */
export function runMark(ctx: CheckContext): string {
  return `conformance ${ctx.run.plan.runId.slice(0, 8)}`;
}
