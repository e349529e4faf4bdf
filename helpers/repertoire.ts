import type { ExchangeRule } from '../engine/judges/exchange-rule.ts';
import { byPriority } from '../engine/run/check-definition.ts';
import type { Repertoire } from '../engine/run/check-runner.ts';
import { firstInvoice } from './adaptation/calibrate-ranges.ts';
import { tidyUp } from './clean-up/clean-up.ts';
import type { Check } from './context/check.ts';
import { Lab } from './context/check-context.ts';
import { emptied } from './controls/emptied-sandbox.ts';
import { tryPermission, validUse } from './controls/permission-trial.ts';
import { proveBindings } from './prove-bindings.ts';

/** What a run needs to carry these checks. */
export function repertoireOf(checks: readonly Check[], rules: readonly ExchangeRule[]): Repertoire<Lab> {
  return {
    definitions: byPriority(checks),
    rules,
    labFor: (run, asking) => new Lab(run, asking),
    firstInvoice,
    proveBindings,
    tryPermission,
    validUse,
    emptied,
    tidyUp,
  };
}
