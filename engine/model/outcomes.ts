import type { CheckId } from '../../specs/generated/ids.ts';

/** The server broke a sentence. The only way to say so; anything else that is thrown is the kit's own fault. */
export class Breach extends Error {
  override readonly name = 'Breach';
  readonly expected: string;
  readonly actual: string;
  /** Ids of the exchanges that show it. Reason and actual speak of the first one. */
  readonly exchanges: readonly string[];

  constructor(found: { reason: string; expected: string; actual: string; exchanges: readonly string[] }) {
    super(found.reason);
    this.expected = found.expected;
    this.actual = found.actual;
    this.exchanges = found.exchanges;
  }
}

/** The question could not be put: a capability is missing, or something else failed first. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  /** The check whose failure came first, or the field of the target file that is missing. */
  readonly blockedBy: CheckId | `${string} of the target file` | 'target' | null;

  constructor(by: Blocked['blockedBy'], reason: string) {
    super(reason);
    this.blockedBy = by;
  }
}

/** The target answers, but not with anything that can be judged: it has no room, or there is no end to what it says. */
export class UnusableTarget extends Blocked {
  readonly status: number;

  constructor(status: number, reason: string) {
    super('target', reason);
    this.status = status;
  }
}

/** The sentence speaks of a situation that this server never shows and the kit cannot bring about. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** A payment was refused for want of funds (412 TREAS007): not applicable where others were made, otherwise a matter of the target. */
export class InsufficientFunds extends NotApplicable {}

/** The run was ended from outside before the check was. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** One request got no answer, however often it was sent, while the target answered others. */
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

/** What keeps a question from being answered, and says nothing against the server. */
export function isUnjudged(error: unknown): error is Blocked | NotApplicable | NoResponse {
  return error instanceof Blocked || error instanceof NotApplicable || error instanceof NoResponse;
}

/** What a check may come to, other than a pass. Anything else that is thrown is the kit's own fault, or ends the run. */
export function isOutcome(error: unknown): error is Breach | Blocked | NotApplicable | NoResponse {
  return error instanceof Breach || isUnjudged(error);
}
