import { rmSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter } from 'vitest/node';
import type { RunPlan } from '../../engine/run/run-plan.ts';
import { STOP_SIGNALS } from './graceful-shutdown.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const SUITES_FOLDER = fileURLToPath(new URL('../../suites', import.meta.url));
// Built code has a different file extension than the sources.
const FILE_EXTENSION = extname(fileURLToPath(import.meta.url));
const ENTRY_FILE = `all.conformance${FILE_EXTENSION}`;
/** Node loads built code directly; a transformation by vite would only slow down the start. */
const UNTRANSFORMED_FILES = FILE_EXTENSION === '.js' ? [/\/(specs|engine|helpers|suites)\/.*\.js$/] : [];

export interface LaunchOptions {
  plan: RunPlan;
  reporters: Reporter[];
}

/** Runs the checks of the plan in one vitest worker thread of this process. */
export async function launchVitest({ plan, reporters }: LaunchOptions): Promise<void> {
  const before = new Map(STOP_SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const cacheDir = createTemporaryFolder('vitest');
  // Loaded on demand: vitest is slow to load.
  const { createVitest } = await import('vitest/node');
  const vitest = await createVitest(
    'test',
    {
      config: false,
      watch: false,
      root: SUITES_FOLDER,
      dir: SUITES_FOLDER,
      include: [ENTRY_FILE],
      // The default hides everything below node_modules, where an installed kit lives.
      exclude: [],
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      // The engine limits requests and checks itself, so vitest must start all of them.
      maxConcurrency: 100_000,
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: 20_000,
      passWithNoTests: false,
      reporters: reporters as Reporter[],
      provide: { conformancePlan: plan },
      server: { deps: { external: UNTRANSFORMED_FILES } },
    },
    { configFile: false, cacheDir, logLevel: 'error' } as Parameters<typeof createVitest>[2],
  );
  // The signal handlers of vitest would exit immediately, without a report.
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
