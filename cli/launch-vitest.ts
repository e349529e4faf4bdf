import { rmSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter } from 'vitest/node';
import type { Plan } from '../engine/run/run-plan.ts';
import { STOP_SIGNALS } from './stop-on-signal.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const SUITES = fileURLToPath(new URL('../suites', import.meta.url));
// Built code has other file endings than the sources.
const ENDING = extname(fileURLToPath(import.meta.url));
const ENTRY = `all.conformance${ENDING}`;
/** Built code is what Node reads itself: that vite transforms each of its files would only make everybody wait. */
const AS_IT_IS = ENDING === '.js' ? [/\/(specs|engine|helpers|suites)\/.*\.js$/] : [];

export interface Launch {
  plan: Plan;
  reporters: (Reporter | [string, Record<string, unknown>])[];
}

/** Runs the plan's checks in one vitest worker of this process. */
export async function launchVitest({ plan, reporters }: Launch): Promise<void> {
  const before = new Map(STOP_SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const cacheDir = makeTemporaryFolder('vitest');
  // Only now: a command that runs no checks need not wait for vitest to load.
  const { createVitest } = await import('vitest/node');
  const vitest = await createVitest(
    'test',
    {
      config: false,
      watch: false,
      root: SUITES,
      dir: SUITES,
      include: [ENTRY],
      // The default hides everything below node_modules, where an installed kit lives.
      exclude: [],
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      // The engine paces requests and checks itself: vitest is to start them all.
      maxConcurrency: 100_000,
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: 20_000,
      passWithNoTests: false,
      reporters: reporters as Reporter[],
      provide: { conformancePlan: plan },
      server: { deps: { external: AS_IT_IS } },
    },
    { configFile: false, cacheDir, logLevel: 'error' } as Parameters<typeof createVitest>[2],
  );
  // Vitest would exit at once, without a report.
  for (const [signal, own] of before) {
    for (const listener of process.listeners(signal))
      if (!own.includes(listener)) process.removeListener(signal, listener);
  }
  try {
    await vitest.start();
  } finally {
    await vitest.close();
    rmSync(cacheDir, { recursive: true, force: true });
  }
}
