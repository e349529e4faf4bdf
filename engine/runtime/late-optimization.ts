import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 optimize a function only after it has done some seven times as much as is usual, in this thread and those begun later.
 * A run lasts seconds: what it costs to optimize hundreds of functions comes back from the few that are at work all the time. To be
 * called before the work begins.
 */
export function delayOptimization(): void {
  setFlagsFromString('--interrupt-budget=500000');
}
