import { setTimeout as pause } from 'node:timers/promises';
import type { CheckContext } from '../context/check-context.ts';
import { sharedResult } from '../context/shared-result.ts';
import { ifReachable } from '../invoices/invoices.ts';
import { newestPages } from '../invoices/list-page.ts';

/** A background job that reverts a change runs within this time, in milliseconds. */
export const REVERT_JOB_MS = 1000;

/**
 * The status of each of the seller's newest invoices, by id, read once in the late phase for all checks that look for late changes.
 * Empty if the list cannot be read. A list may be stale, so a wrong status needs another look.
 */
export const lateList = sharedResult(async (ctx): Promise<ReadonlyMap<string, unknown>> => {
  await pause(REVERT_JOB_MS);
  const [listed] = await ifReachable(() => readStatuses(ctx));
  return listed ?? new Map();
});

async function readStatuses(ctx: CheckContext): Promise<Map<string, unknown>> {
  const listed = new Map<string, unknown>();
  for await (const { records } of newestPages(ctx))
    for (const { id, status } of records) listed.set(String(id), status);
  return listed;
}
