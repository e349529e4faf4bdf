import { describeResponse } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { blockIfForbidden } from '../assert/not-judged.ts';
import { skipUnlessTotalStable } from '../assert/stable-total.ts';
import type { CheckContext } from '../context/check.ts';
import { type ListPage, parsePage } from '../invoices/list-page.ts';
import { listProduction } from './production.ts';

/** Reads the production total. Throws Blocked if the production key may not list. */
export async function readProductionCount(ctx: CheckContext): Promise<ListPage> {
  const response = await listProduction(ctx, { page: 0, limit: 1 });
  blockIfForbidden(response);
  return parsePage(response);
}

/** Throws a Breach if the production total changed. Throws NotApplicable if it also changes without the kit. */
export async function expectSameTotal(ctx: CheckContext, before: ListPage, what: string): Promise<void> {
  const after = await readProductionCount(ctx);
  if (after.total === before.total) return;
  await skipUnlessTotalStable(ctx, async () => (await readProductionCount(ctx)).total);
  const because = `the total is ${after.total} after ${what} (${describeResponse(after.response)})`;
  throw breach(ctx, after.response, `the production total ${before.total}, as before`, because, [before.response]);
}
