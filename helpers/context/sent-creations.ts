import type { Run } from '../../engine/run/run-context.ts';
import type { Lab } from './check-context.ts';
import { bearsMark } from './run-mark.ts';

/** How often a run has sent a creation with a description of its own. */
const timesSent = new WeakMap<Run, Map<string, number>>();

/** Notes the description of a creation that is about to be sent, where it bears the mark of the run. */
export function noteSent({ run }: Lab, body: unknown): void {
  const description = descriptionIn(body);
  if (description === null) return;
  const known = timesSent.get(run) ?? new Map<string, number>();
  timesSent.set(run, known.set(description, (known.get(description) ?? 0) + 1));
}

/** Whether one creation alone had this description. */
export function isSentOnce({ run }: Lab, description: unknown): boolean {
  return typeof description === 'string' && timesSent.get(run)?.get(description) === 1;
}

function descriptionIn(body: unknown): string | null {
  if (typeof body === 'string') {
    try {
      return descriptionIn(JSON.parse(body));
    } catch {
      // What is no JSON is sent to be refused.
      return null;
    }
  }
  if (typeof body !== 'object' || body === null || !('description' in body)) return null;
  return typeof body.description === 'string' && bearsMark(body.description) ? body.description : null;
}
