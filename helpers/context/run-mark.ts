import type { Lab } from './check-context.ts';

/** Generated bodies bear the run's alone. Of signs, one finds parentheses where banks allow the fewest. */
const MARK = /\(conformance [0-9a-f]{8}( \d+)?\)/;

/** The mark in the description of a body, by which what came of it can be told from anything else. */
export function markOf({ description }: { description: string }): string {
  return MARK.exec(description)?.[0] ?? '';
}

/** Whether a description bears the mark of any body that a run has made. */
export function bearsMark(description: unknown): boolean {
  return typeof description === 'string' && MARK.test(description);
}

/** Whether a description, where a server shows it, bears the mark of another body than this one. */
export function bearsOtherMark(description: unknown, body: { description: string }): boolean {
  const found = MARK.exec(typeof description === 'string' ? description : '')?.[0];
  return found !== undefined && !String(body.description).includes(found);
}

/** By which everything that the kit creates can be told from other people's. */
export function mark(lab: Lab): string {
  return `conformance ${lab.run.plan.runId.slice(0, 8)}`;
}
