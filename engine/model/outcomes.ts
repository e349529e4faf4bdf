import type { Expectation } from '../../specs/formats/expectation.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { RequestLimit } from '../../specs/verdicts.ts';

interface BreachDetails {
  reason: string;
  expected: string;
  actual: string;
  exchanges: readonly string[];
  expectation?: Expectation;
}

/** The server broke a requirement. Only this error reports a breach. */
export class Breach extends Error {
  override readonly name = 'Breach';
  readonly expected: string;
  readonly actual: string;
  /** Ids of the exchanges that show the breach. Reason and actual describe the first one. */
  readonly exchanges: readonly string[];
  /** What a script can test in the response of the first exchange; null if only the kit can judge it. */
  readonly expectation: Expectation | null;

  constructor(found: BreachDetails) {
    super(found.reason);
    this.expected = found.expected;
    this.actual = found.actual;
    this.exchanges = found.exchanges;
    this.expectation = found.expectation ?? null;
  }

  /** The same breach, which several attempts have shown. */
  seenInEachOf(attempts: number, because: string): Breach {
    return this.with({ reason: `${this.message}; confirmed in ${attempts} attempts, because ${because}` });
  }

  /** The same breach with another description of the actual result, which begins with the response of the first exchange. */
  withActual(actual: string): Breach {
    return this.with({ actual });
  }

  private with(changes: Partial<BreachDetails>): Breach {
    const { message: reason, expected, actual, exchanges, expectation } = this;
    return new Breach({ reason, expected, actual, exchanges, ...(expectation && { expectation }), ...changes });
  }
}

/** The check could not be judged: a capability is missing, or something else failed first. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  /** The check that failed first, the missing field of the target file, or what limits the requests. */
  readonly blockedBy: CheckId | `${string} of the target file` | RequestLimit | 'target' | null;

  constructor(by: Blocked['blockedBy'], reason: string) {
    super(reason);
    this.blockedBy = by;
  }
}

/** The target responds, but not with anything that can be judged, such as 429 or an endless body. */
export class UnusableTarget extends Blocked {
  readonly status: number;

  constructor(status: number, reason: string) {
    super('target', reason);
    this.status = status;
  }
}

/** The requirement concerns a situation that this server never shows and the kit cannot cause. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
  /** The check that judges the situation instead. The reason names it, so that every report shows it. */
  readonly judgedBy: CheckId | undefined;

  constructor(reason: string, { judgedBy }: { judgedBy?: CheckId } = {}) {
    super(judgedBy === undefined ? reason : `${reason}; judged by ${judgedBy}`);
    this.judgedBy = judgedBy;
  }
}

/** Other users of the sandbox changed what the check compares. A later attempt may be undisturbed. */
export class DisturbedByOthers extends NotApplicable {}

/** A payment was rejected with insufficient funds (412 TREAS007): not applicable if other payments succeeded, otherwise blocked. */
export class InsufficientFunds extends NotApplicable {}

/** The run was stopped before the check ended. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** One request got no response after all retries, while the target responded to others. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly exchange: string;
  readonly requestLine: string;

  constructor(exchange: string, request: string, failure: string) {
    super(failure);
    this.exchange = exchange;
    this.requestLine = request;
  }
}

/** Whether an error leaves the check unjudged, without a breach. */
export function isUnjudged(error: unknown): error is Blocked | NotApplicable | NoResponse {
  return error instanceof Blocked || error instanceof NotApplicable || error instanceof NoResponse;
}

/** Whether an error is an outcome of a check. Any other error is a defect of the kit, or ends the run. */
export function isOutcome(error: unknown): error is Breach | Blocked | NotApplicable | NoResponse {
  return error instanceof Breach || isUnjudged(error);
}
