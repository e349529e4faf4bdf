import type { CheckId } from '../../specs/generated/ids.ts';
import type { ServerOverrides } from '../overrides/server-overrides.ts';

/** A server with one defect, as a real team might ship it. */
export interface Fault extends ServerOverrides {
  id: string;
  /** The requirement it breaks. */
  requirement: string;
  /** What the team did wrong. */
  defect: string;
  /** The checks that must turn red. */
  caughtBy: readonly CheckId[];
  /** Checks that only supply the exchanges in which the others can see it, when little else is run. */
  alsoRun?: readonly CheckId[];
  /** It only shows in a sandbox as full as a whole run makes it. */
  needsFullRun?: true;
  /** Only the named checks can judge it: in a whole run it blocks everything, or looks like the work of other clients. */
  judgedByNamedChecksOnly?: true;
}
