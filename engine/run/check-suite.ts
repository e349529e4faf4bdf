import type { CustomArea } from '../../specs/formats/custom-area.ts';
import type { OperationName } from '../../specs/target-file/target.ts';
import type { SuspectOperation } from '../diagnosis/lost-operations.ts';
import type { ForbiddenRequest } from '../diagnosis/permissions.ts';
import type { ExchangeRule } from '../judges/exchange-rule.ts';
import type { ApiResponse } from '../model/messages.ts';
import type { CheckDefinition, CheckExecution } from './check-definition.ts';
import type { CustomCheck } from './custom-check.ts';
import type { RunContext } from './run-context.ts';

/** The checks and exchange rules of the kit, and the callbacks by which the runner uses the vocabulary of the checks. */
export interface CheckSuite<Context> {
  definitions: readonly CheckDefinition<Context>[];
  /** Checks of a team, in addition to those of the contract. */
  customChecks: readonly CustomCheck<Context>[];
  /** Their descriptions for reports. */
  customAreas: readonly CustomArea[];
  /** The exchange rules. */
  rules: readonly ExchangeRule[];
  createContext: (run: RunContext, execution: CheckExecution) => Context;
  /** Awaited before each check that creates invoices. The first call runs it. */
  beforeFirstCreation: (ctx: Context) => Promise<void>;
  /** Verifies once that bound operations do what their bindings name; disables the others. */
  verifyBindings: (run: RunContext, names: readonly OperationName[]) => Promise<void>;
  /** Tests whether the key may use the operation, if the run has not shown it yet. */
  probePermission: (ctx: Context, forbidden: ForbiddenRequest) => Promise<void>;
  /** Uses an operation once in a valid way; null if that is not possible. */
  probeOperation: (ctx: Context, suspect: SuspectOperation) => Promise<ApiResponse | null>;
  /** The reason if another user has emptied the sandbox since the run began; null otherwise. */
  emptiedSandboxReason: (ctx: Context) => Promise<string | null>;
  /** The number of invoices that the seller lists. */
  countInvoices: (ctx: Context) => Promise<number>;
  /** Removes the records of the checks after the last check that needs them. */
  cleanUp: (run: RunContext) => Promise<void>;
}
