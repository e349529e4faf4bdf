import type { ExchangeRule } from '../engine/judges/exchange-rule.ts';
import { inRunOrder } from '../engine/run/check-definition.ts';
import type { CheckSuite } from '../engine/run/check-suite.ts';
import { verifyBindings } from './binding-verification.ts';
import { cleanUpRun } from './cleanup/cleanup.ts';
import type { Check } from './context/check.ts';
import { CheckContext } from './context/check.ts';
import { emptiedSandboxReason } from './controls/emptied-sandbox.ts';
import { probeOperation, probePermission } from './controls/permission-trial.ts';
import type { ReadArea } from './custom/custom-area.ts';
import { readTotal } from './invoices/list-page.ts';
import { calibrateRanges } from './invoices/range-calibration.ts';

/** The functions that a run needs to execute these checks and exchange rules. */
export function createCheckSuite(
  checks: readonly Check[],
  rules: readonly ExchangeRule[],
  areas: readonly ReadArea[] = [],
): CheckSuite<CheckContext> {
  return {
    customChecks: areas.flatMap((area) => area.checks),
    customAreas: areas.map(({ description }) => description),
    definitions: inRunOrder(checks),
    rules,
    createContext: (run, execution) => new CheckContext(run, execution),
    beforeFirstCreation: calibrateRanges,
    verifyBindings: verifyBindings,
    probePermission: probePermission,
    probeOperation: probeOperation,
    emptiedSandboxReason: emptiedSandboxReason,
    countInvoices: readTotal,
    cleanUp: cleanUpRun,
  };
}
