import { setTimeout as pause } from 'node:timers/promises';
import { Breach } from '../../engine/model/outcomes.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from '../context/check-context.ts';

const MAX_ATTEMPTS = 4;
/** What was accepted before lands meanwhile. */
const RETRY_DELAY_MS = 200;

/** One try of several. */
export interface ExperimentAttempt {
  /** 1 and up. */
  readonly number: number;
  /** An experiment may set it: when it waited as long as the last try does, it needs no other. */
  isLast: boolean;
}

/** The longest wait between two tries, in milliseconds. */
export const MAX_RETRY_DELAY_MS = (MAX_ATTEMPTS - 1) * RETRY_DELAY_MS;

/** Runs in which an experiment has failed every time. */
const runsWithConfirmedBreach = new WeakSet<RunContext>();

/**
 * Runs an experiment that others can spoil: they may create invoices in the same sandbox between two requests, and an earlier
 * action of the kit may still be landing, which no single try can tell from a breach. What fails every time is one, and so is what
 * rests on a broken rule about every exchange. Once an experiment has failed every time, others skip the tries in between: a run
 * against a broken server stays short.
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
