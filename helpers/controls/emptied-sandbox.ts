import { Blocked } from '../../engine/model/outcomes.ts';
import { readInvoice } from '../api/operations.ts';
import type { CheckContext } from '../context/check.ts';
import { findInList } from '../invoices/find-invoice.ts';

const GONE = [404, 410];

/**
 * The reason when somebody has emptied the sandbox: every invoice of the preflight is gone and the run did not remove
 * it. Null when one still exists, when the preflight created none, or when single invoices cannot be read.
 */
export async function emptiedSandboxReason(ctx: CheckContext): Promise<string | null> {
  const ids = ctx.run.remainingTrialIds();
  // A broken list may omit existing invoices.
  if (ids.length === 0 || !ctx.target.operations.read) return null;
  for (const id of ids) {
    if (await isPresent(ctx, id)) return null;
  }
  return `invoice ${ids[0]}, created before the first check, is gone, and this run did not remove it: somebody emptied the sandbox during the run; run again while no other user resets it`;
}

async function isPresent(ctx: CheckContext, id: string): Promise<boolean> {
  try {
    const { status } = await readInvoice(ctx, id);
    // A response of another status says nothing about the invoice. One that is listed and cannot be read is a defect of the service.
    return !GONE.includes(status) || (await findInList(ctx, id)).record !== null;
  } catch (error) {
    if (error instanceof Blocked) return true;
    throw error;
  }
}
