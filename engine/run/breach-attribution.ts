import { isCheckId } from '../../specs/catalogue/catalogue.ts';
import { lifecycle } from '../../specs/contract/lifecycle.ts';
import { KEY_REVOKED } from '../diagnosis/key-revocation.ts';
import { LostOperations, type OperationProbe } from '../diagnosis/lost-operations.ts';
import { type ForbiddenRequest, missingPermission } from '../diagnosis/permissions.ts';
import { TargetChangeProbe } from '../diagnosis/target-change-probe.ts';
import type { Operation } from '../model/messages.ts';
import { Blocked, Breach, InsufficientFunds, isUnjudged, NotApplicable } from '../model/outcomes.ts';
import { type CheckExecution, newCheckExecution } from './check-definition.ts';
import type { CheckSuite } from './check-suite.ts';
import type { RunContext } from './run-context.ts';

/**
 * Decides whether an error of a check is the server's breach, or is caused by the target file, a key, or a change of the target
 * during the run.
 */
export class BreachAttribution<Context> {
  /** Whether a reset phase has begun. From then on the kit itself may have caused missing invoices and invalid keys. */
  hasResetBegun = false;
  private readonly run: RunContext;
  private readonly targetChangeProbe: TargetChangeProbe;
  private readonly lostOperations = new LostOperations();
  private readonly probeOperation: OperationProbe;
  private readonly probePermission: (execution: CheckExecution, forbidden: ForbiddenRequest) => Promise<void>;

  constructor(run: RunContext, suite: CheckSuite<Context>) {
    const { createContext, probePermission, probeOperation, emptiedSandboxReason } = suite;
    this.run = run;
    const context = () => createContext(run, newCheckExecution(null));
    this.targetChangeProbe = new TargetChangeProbe(run.plan.target, run.client, async () =>
      this.hasResetBegun ? null : ((await this.sellerRevokedReason()) ?? (await emptiedSandboxReason(context()))),
    );
    this.probeOperation = (suspect) => probeOperation(context(), suspect);
    this.probePermission = (execution, forbidden) => probePermission(createContext(run, execution), forbidden);
  }

  /** Rejects with the error, or with the outcome that names its cause. */
  async attribute(execution: CheckExecution, thrown: unknown): Promise<never> {
    try {
      return await this.unlessKeyRevoked(execution, thrown)
        .catch((error: unknown) => this.unlessOperationLost(execution, error))
        .catch((error: unknown) => this.unlessForbidden(execution, error))
        .catch((error: unknown) => this.unlessEffectLate(execution, error))
        .catch((error: unknown) => this.unlessTargetChanged(error));
    } catch (error) {
      throw error instanceof InsufficientFunds ? this.insufficientFundsOutcome(error) : error;
    }
  }

  /** Without any successful payment the treasury needs funds, so the check is blocked; otherwise it is not applicable. */
  private insufficientFundsOutcome(thrown: InsufficientFunds): Error {
    if (this.run.permissions.hasSucceeded('settle')) return thrown;
    const remedy = 'add funds to the sandbox treasury that pays, or declare operations.settle not-offered';
    return new Blocked('actors.buyer of the target file', `actors.buyer: ${thrown.message}; ${remedy}`);
  }

  /** Rejects with the error, or with Blocked if it depends on a 403 for a key that may not use the operation. */
  private async unlessForbidden(execution: CheckExecution, thrown: unknown): Promise<never> {
    const rejection = forbiddenCause(execution, thrown);
    if (!rejection || this.run.permissions.isGranted(rejection)) throw thrown;
    if (thrown instanceof Breach) await this.probePermission(execution, rejection);
    throw this.run.permissions.isGranted(rejection) ? thrown : missingPermission(rejection);
  }

  /** Rejects with the error, or with Blocked if the awaited effect appears later than the target file allows. */
  private async unlessEffectLate(execution: CheckExecution, thrown: unknown): Promise<never> {
    const { id, missedEffects } = execution;
    const isOwn = thrown instanceof Breach && !this.run.preconditions.restsOnBrokenRule(id, thrown.exchanges);
    if (!isOwn) throw thrown;
    if (missedEffects.length > 0) execution.allowLatePhase();
    throw (await this.run.lateEffects.findLate(missedEffects.slice(-1))) ?? thrown;
  }

  /** Rejects with the error, or with Blocked if the target has changed since the run began. */
  private async unlessTargetChanged(thrown: unknown): Promise<never> {
    const rests = thrown instanceof Breach || isBlockedByCheck(thrown);
    const told = rests ? await this.targetChangeProbe.findChange() : null;
    throw told === null ? thrown : new Blocked(told.blockedBy, told.reason);
  }

  /** Rejects with the error, or with Blocked if an operation no longer exists or is now forbidden to the key. */
  private async unlessOperationLost(execution: CheckExecution, thrown: unknown): Promise<never> {
    const shown =
      thrown instanceof Breach ? thrown.exchanges : isBlockedByCheck(thrown) ? execution.exchanges.slice(-1) : [];
    const suspect = shown.map((id) => execution.suspectOperations.get(id)).find((each) => each !== undefined);
    const change =
      suspect && !this.hasResetBegun ? await this.lostOperations.confirm(suspect, this.probeOperation) : null;
    if (!change) throw thrown;
    this.targetChangeProbe.recordChange(change);
    throw new Blocked(change.blockedBy, change.reason);
  }

  /** The reason if the seller's key was invalidated from outside; otherwise null. */
  private async sellerRevokedReason(): Promise<string | null> {
    try {
      return (await this.run.keyRevocation.findRevoked(['seller'])) && `actors.seller: ${KEY_REVOKED}`;
    } catch (error) {
      // Without a response, the state of the key is unknown.
      if (isUnjudged(error)) return null;
      throw error;
    }
  }

  /** Rejects with the error, or with Blocked if a required key was invalidated from outside. */
  private async unlessKeyRevoked({ actorsAnswered401 }: CheckExecution, thrown: unknown): Promise<never> {
    const mayRestOn401 = thrown instanceof Breach || thrown instanceof NotApplicable || isBlockedByCheck(thrown);
    const actor =
      mayRestOn401 && !this.hasResetBegun ? await this.run.keyRevocation.findRevoked(actorsAnswered401) : null;
    if (!actor) throw thrown;
    throw new Blocked(`actors.${actor} of the target file`, `actors.${actor}: ${KEY_REVOKED}`);
  }
}

function isBlockedByCheck(thrown: unknown): boolean {
  return thrown instanceof Blocked && isCheckId(thrown.blockedBy);
}

/** The 403 that a breach judges, or after which a check gave up. */
function forbiddenCause(
  { exchanges, forbiddenRequests }: CheckExecution,
  thrown: unknown,
): ForbiddenRequest | undefined {
  const judged = thrown instanceof Breach ? thrown.exchanges : thrown instanceof NotApplicable ? exchanges : [];
  const last = forbiddenRequests.get(judged.at(-1) ?? '');
  if (!last || isExpectedRejection(last)) return undefined;
  // Checks find out by trying which party may act and whether a read-only key may read, so a 403 may be an answer.
  const isAnswer = isAction(last.operation) || last.actor === 'readOnly';
  return thrown instanceof NotApplicable && isAnswer ? undefined : last;
}

/** The server is expected to reject all changes with a read-only key. */
function isExpectedRejection({ actor, operation }: ForbiddenRequest): boolean {
  return actor === 'readOnly' && operation !== 'list' && operation !== 'read';
}

function isAction(operation: Operation): boolean {
  return (lifecycle.actions as readonly Operation[]).includes(operation);
}
