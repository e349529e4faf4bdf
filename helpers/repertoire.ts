import type { Repertoire } from '../engine/session.ts';
import { proveBindings } from './binding-proof.ts';
import type { Check } from './check.ts';
import { emptied } from './emptied.ts';
import { firstInvoice } from './first-invoice.ts';
import { Lab } from './lab.ts';
import { tryPermission, validUse } from './permission.ts';
import { tidyUp } from './tidy-up.ts';

/** What a run needs to carry these checks. */
export function repertoireOf(checks: readonly Check[]): Repertoire<Lab> {
  return {
    definitions: checks,
    labFor: (run, asking) => new Lab(run, asking),
    firstInvoice,
    proveBindings,
    tryPermission,
    validUse,
    emptied,
    tidyUp,
  };
}
