import { setTimeout as pause } from 'node:timers/promises';
import { Breach } from '../../engine/model/outcomes.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from '../context/check-context.ts';

const MAX_ATTEMPTS = 4;
/** An earlier change may take effect during this wait. */
const RETRY_DELAY_MS = 200;

/** One attempt of several. */
export interface ExperimentAttempt {
  /** Starts at 1. */
  readonly number: number;
  /** An experiment sets this to true when it has waited as long as the last attempt does. */
  isLast: boolean;
}

/** The longest wait between two attempts, in milliseconds. */
export const MAX_RETRY_DELAY_MS = (MAX_ATTEMPTS - 1) * RETRY_DELAY_MS;

/** Runs in which an experiment has failed every time. */
const runsWithConfirmedBreach = new WeakSet<RunContext>();

/**
 * Repeats an experiment that concurrent creations or a late effect of an earlier action can disturb, and throws the
 * breach that every attempt shows. A breach that depends on a broken exchange rule counts at once, and after one
 * confirmed breach the run skips the middle attempts.
 */
export async function confirmBreach(
  ctx: CheckContext,
  experiment: (attempt: ExperimentAttempt) => Promise<void>,
): Promise<void> {
  for (let number = 1; ; number = runsWithConfirmedBreach.has(ctx.run) ? MAX_ATTEMPTS : number + 1) {
    const attempt = { number, isLast: number === MAX_ATTEMPTS };
    try {
      return await experiment(attempt);
    } catch (error) {
      if (!(error instanceof Breach)) throw error;
      if (attempt.isLast) runsWithConfirmedBreach.add(ctx.run);
      if (attempt.isLast || ctx.run.preconditions.restsOnBrokenRule(ctx.execution.id, error.exchanges)) throw error;
      await pause(number * RETRY_DELAY_MS);
    }
  }
}
