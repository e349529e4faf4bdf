import type { CheckId } from '../../specs/generated/ids.ts';
import type { ServerOverrides } from '../overrides/server-overrides.ts';

/** A server with one defect that a real team might ship. */
export interface Fault extends ServerOverrides {
  id: string;
  /** The requirement it breaks. */
  requirement: string;
  /** The mistake of the team. */
  defect: string;
  /** The checks that must turn red. */
  caughtBy: readonly CheckId[];
  /** Checks that only cause the exchanges in which the others can see the defect, if few other checks run. */
  alsoRun?: readonly CheckId[];
  /** The defect shows a moment after the response. Only the checks of `caughtBy` are sure to wait for it. */
  takesEffectLater?: true;
  /** The defect only shows among as many requests and invoices as those of this profile. */
  traffic?: 'smoke' | 'full';
  /** Only the named checks run: in a whole run, the fault blocks everything or looks like the work of other clients. */
  judgedByNamedChecksOnly?: true;
}
