import { setTimeout as pause } from 'node:timers/promises';
import { Breach } from '../engine/outcome.ts';

export const TRIES = 4;
/** What was accepted before lands meanwhile. */
const BETWEEN_TRIES_MS = 200;

/**
 * Runs an experiment that others can spoil: they may create invoices in the same sandbox between two requests, and an earlier
 * action of the kit may still be landing, which no single try can tell from a breach. What fails every time is one.
 */
export async function persistently(experiment: (tries: number) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await experiment(tries);
    } catch (error) {
      if (!(error instanceof Breach) || tries === TRIES) throw error;
      await pause(tries * BETWEEN_TRIES_MS);
    }
  }
}
