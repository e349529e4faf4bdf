import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Writable } from 'node:stream';
import type { Reporter } from 'vitest/node';
import type { RunPlan } from '../../engine/run/run-plan.ts';
import { WORKER_OPTIONS } from '../../engine/vitest/conformance-project.ts';
import { STOP_SIGNALS } from './graceful-shutdown.ts';
import { kitModule, kitModuleOptions } from './kit-modules.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

export interface LaunchOptions {
  plan: RunPlan;
  /** Absolute paths of the files with custom checks. */
  customFiles?: readonly string[];
  reporters: Reporter[];
}

/** Runs the checks of the plan in one vitest worker thread of this process. */
export async function launchVitest({ plan, customFiles = [], reporters }: LaunchOptions): Promise<void> {
  const before = new Map(STOP_SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const cacheDir = createTemporaryFolder('vitest');
  const entry = customFiles.length === 0 ? kitModule('suites/all.conformance') : writeEntry(cacheDir, customFiles);
  // Loaded on demand: vitest is slow to load.
  const { createVitest } = await import('vitest/node');
  const vitest = await createVitest(
    'test',
    {
      config: false,
      watch: false,
      root: dirname(entry),
      dir: dirname(entry),
      include: [basename(entry)],
      // The default hides everything below node_modules, where an installed kit lives.
      exclude: [],
      ...WORKER_OPTIONS,
      teardownTimeout: 20_000,
      passWithNoTests: false,
      reporters: reporters as Reporter[],
      provide: { conformancePlan: plan },
      ...kitModuleOptions,
    },
    { configFile: false, cacheDir, logLevel: 'error' } as Parameters<typeof createVitest>[2],
    { stdout: plainStdout() },
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

/** Standard output that is no terminal for vitest, which would hide the cursor of any terminal, even a simple one. */
function plainStdout(): Writable {
  return new Writable({ write: (chunk, _, done) => void process.stdout.write(chunk, () => done()) });
}

/** Writes a test file that registers the checks of the kit and those of the files. One file, so that they share one worker. */
function writeEntry(folder: string, customFiles: readonly string[]): string {
  const path = `${folder}/custom.conformance.mjs`;
  const imports = customFiles.map((file, at) => `import custom${at} from ${JSON.stringify(file)};`);
  const areas = customFiles.map((_, at) => `custom${at}`);
  writeFileSync(
    path,
    `import { registerSuites } from ${JSON.stringify(kitModule('suites/register-suites'))};
${imports.join('\n')}
await registerSuites(${areas.join(', ')});
`,
  );
  return path;
}
