import { rmSync } from 'node:fs';
import { Command } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { assertServiceAvailable } from '../../engine/preflight/availability.ts';
import { newCheckExecution } from '../../engine/run/check-definition.ts';
import { prepareRun } from '../../engine/run/prepare-run.ts';
import { RunContext } from '../../engine/run/run-context.ts';
import { cleanUpRun } from '../../helpers/cleanup/cleanup.ts';
import { findLeftovers, type Leftovers } from '../../helpers/cleanup/earlier-runs.ts';
import { CheckContext } from '../../helpers/context/check.ts';
import { recordSubscription } from '../../helpers/context/created-subscriptions.ts';
import { recordInvoiceState } from '../../helpers/invoices/invoices.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import { EXIT } from '../../specs/exit-codes.ts';
import type { Target } from '../../specs/target-file/target.ts';
import { resolveTarget, type TargetOptions, withTargetOptions } from '../options/target-options.ts';
import { type CleanupOutcome, formatCleanup, isIncomplete } from '../output/cleanup-text.ts';
import { GracefulShutdown } from '../processes/graceful-shutdown.ts';
import { createTemporaryFolder } from '../processes/temporary-folder.ts';

export const cleanupCommand = withTargetOptions(
  new Command('cleanup').description('remove the leftovers of earlier runs from a server'),
)
  .option('--dry-run', 'only list the items that would be removed', false)
  .addHelpText(
    'after',
    `
Removes only items with the mark of the kit: invoices whose description contains "(conformance 1a2b3c4d …)" and webhook
subscriptions whose url contains "/conformance-1a2b3c4d/". Do not use it during a run against the same server.

Examples:
  $ conformance cleanup --target staging.yaml --dry-run
  $ conformance cleanup --target staging.yaml

Exit codes: 0 done, even if items remain that cannot be removed · 2 the target file is wrong, or the server is unavailable · 3 interrupted, or a removal was rejected`,
  )
  .action(async (options: TargetOptions & { dryRun: boolean }) => {
    const target = await resolveTarget(options);
    if (!target.actors.seller) {
      throw new ConfigurationError(
        "actors.seller: missing; cleanup searches the seller's invoices and needs the seller's key",
      );
    }
    const stopping = new GracefulShutdown();
    const outcome = await cleanUpTarget(target, options.dryRun, stopping.signal).finally(() => stopping.release());
    console.log(formatCleanup(outcome).map(escapeForLog).join('\n'));
    process.exitCode = stopping.signal.aborted || isIncomplete(outcome) ? EXIT.inconclusive : EXIT.conformant;
  });

/** Finds the leftovers of earlier runs and removes them, unless `dryRun`. Rejects with a ConfigurationError. */
export async function cleanUpTarget(target: Target, dryRun: boolean, stop: AbortSignal): Promise<CleanupOutcome> {
  const folder = createTemporaryFolder('cleanup');
  try {
    // The preflight of a read-only run verifies the target file.
    const checks = checksOfProfile('read-only');
    const settings = { profile: 'read-only', filtered: [], seed: 1, strict: false };
    const { plan, found } = await prepareRun({ target, checks, definitions: [], folder, signal: stop, ...settings });
    assertServiceAvailable(target, found.actors);
    const run = new RunContext({ ...plan, mayMutate: !dryRun });
    stop.addEventListener('abort', () => run.stop('the clean-up was interrupted'));
    try {
      return await removeLeftovers(run, dryRun);
    } finally {
      await run.close(null);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function removeLeftovers(run: RunContext, dryRun: boolean): Promise<CleanupOutcome> {
  const ctx = new CheckContext(run, newCheckExecution(null));
  const found = await findLeftovers(ctx);
  trackLeftovers(ctx, found);
  const before = run.leftovers.entries();
  if (!dryRun) await cleanUpRun(run);
  const { operations } = run.target;
  return {
    dryRun,
    before,
    after: run.leftovers.entries(),
    hasDescriptions: found.hasDescriptions,
    canFindSubscriptions: operations.webhookList !== undefined && operations.webhookDelete !== undefined,
  };
}

/** Records the leftovers like items of this run, so that its clean-up removes them. */
function trackLeftovers(ctx: CheckContext, { invoices, subscriptions }: Leftovers): void {
  for (const invoice of invoices) recordInvoiceState(ctx, invoice);
  for (const subscription of subscriptions) {
    recordSubscription(ctx.run, subscription);
    ctx.run.leftovers.recordCreated(subscription.key, 'webhook subscription', 'not removed');
  }
}
