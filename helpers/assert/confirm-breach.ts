import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import { Breach } from '../../engine/model/outcomes.ts';
import type { CheckContext } from '../context/check.ts';

/** How many attempts must show a breach, and why one is not enough. Both are part of the reported reason. */
export interface Confirmation {
  /** The number of attempts. */
  readonly rounds: number;
  /** Why a single attempt may be wrong. Follows `one is not enough:`. */
  readonly because: string;
  /** The wait before the second attempt, in milliseconds. It grows by this time before each later attempt. */
  readonly pauseMs?: number;
}

/** For what a list shows. An earlier change may take effect during the waits. */
export const CHANGING_LIST: Confirmation = {
  rounds: 3,
  because: 'a concurrent creation or a late effect can change what a list shows',
  pauseMs: 200,
};

/** For what a balance shows of withdrawals. */
export const FOREIGN_PAYMENT: Confirmation = {
  rounds: 3,
  because: "another client's payment may happen to have the same amount",
  pauseMs: 200,
};

/** For what a balance shows of settlements. Each attempt leaves settled invoices behind. */
export const FOREIGN_SETTLEMENT: Confirmation = { ...FOREIGN_PAYMENT, rounds: 2 };

/** For invoices that are recognized by their contents. */
export const FOREIGN_INVOICE: Confirmation = {
  rounds: 3,
  because: "another client's invoice may happen to have the same contents",
};

/** For a request that a concurrent one may conflict with. */
export const CONFLICTING_REQUEST: Confirmation = {
  rounds: 3,
  because: "another client's concurrent request may conflict with it",
};

/** For an invoice that an earlier check has used. The second attempt uses a new one. */
export const REUSED_INVOICE: Confirmation = {
  rounds: 2,
  because: 'an earlier request on the same invoice may take effect late',
};

/** One attempt of several. */
export interface ExperimentAttempt {
  /** Starts at 1. */
  readonly number: number;
  /** An experiment sets this to true if it needs no further attempt, for example because it has waited long enough. */
  isLast: boolean;
}

/** The longest wait between two attempts, in milliseconds. */
export function maxPauseMsOf({ rounds, pauseMs = 0 }: Confirmation): number {
  return (rounds - 1) * pauseMs;
}

/** Whether an experiment has shown a breach in every attempt. */
const confirmations = runState(() => ({ hasConfirmed: false }));

/**
 * Repeats an experiment and throws the breach that every attempt shows. No other code repeats an experiment to confirm a breach. A
 * breach that depends on a broken exchange rule counts at once, and after one confirmed breach the run skips the middle attempts.
 */
export async function confirmBreach<T>(
  ctx: CheckContext,
  confirmation: Confirmation,
  experiment: (attempt: ExperimentAttempt) => Promise<T>,
): Promise<T> {
  const { rounds, because, pauseMs = 0 } = confirmation;
  let attempts = 0;
  for (let number = 1; ; number = confirmations(ctx.run).hasConfirmed ? rounds : number + 1) {
    const attempt = { number, isLast: number === rounds };
    attempts += 1;
    try {
      return await experiment(attempt);
    } catch (error) {
      if (!(error instanceof Breach)) throw error;
      if (attempt.isLast && attempts > 1) confirmations(ctx.run).hasConfirmed = true;
      const isEnough = attempt.isLast || ctx.run.preconditions.restsOnBrokenRule(ctx.execution.id, error.exchanges);
      if (isEnough) throw attempts > 1 ? error.seenInEachOf(attempts, because) : error;
      await pause(number * pauseMs);
    }
  }
}
