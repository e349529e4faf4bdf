import { setTimeout as pause } from 'node:timers/promises';
import { readInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, bodyMember, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { statusIsNot } from '../../helpers/assert/expectations.ts';
import { blockedBySettleLimit, blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, checkInPhase, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { createInvoice } from '../../helpers/invoices/invoices.ts';

/** Amounts of which every sandbox pays at least one. */
const AMOUNTS = ['0.30', '1.00', '25.00'];
/** An outage may last for some seconds. */
const OUTAGE_WAIT_MS = 2000;

/** Sends nothing if another request of the run has succeeded. */
async function judgeTreasuryOperation(
  ctx: CheckContext,
  name: 'treasuryBalance' | 'treasuryWithdraw',
  amounts: readonly string[],
): Promise<void> {
  const failed: ApiResponse[] = [];
  for (const amount of amounts) {
    if (ctx.run.permissions.hasSucceeded(name)) return;
    if (failed.length > 0) await pause(OUTAGE_WAIT_MS);
    const response = await sendTreasuryRequest(ctx, name, {}, amount);
    if (isSuccess(response) || response.status === 412) return;
    blockIfForbidden(response);
    if (response.status !== 500)
      notApplicable(`the server returned ${response.status}, which does not show whether the operation works`);
    failed.push(response);
  }
  const [first, ...others] = failed;
  if (!first) return;
  const because = `the server returned 500 to ${failed.length} requests of operations.${name}, and has accepted none in this run`;
  const expected =
    'a response other than 500 to a valid request (Other operations: the interface has this operation; Status codes: 500 is an internal error)';
  throw breach(ctx, first, expected, because, others, statusIsNot(500));
}

/** Replicas have received the invoice after this time at the latest, in milliseconds. */
const MIN_AGE_MS = 2000;
/** How much longer the kit waits before it judges an invoice that some replicas do not return yet. */
const MIN_LATENESS_MS = 8000;
const READS_AT_ONCE = 4;

const isAbsent = (response: ApiResponse) => response.status === 404 && bodyMember(response, 'code') === 'INV001';

async function readRepeatedly(ctx: CheckContext, id: string, rounds: number): Promise<ApiResponse[]> {
  const reads: ApiResponse[] = [];
  for (let round = 0; round < rounds; round += 1)
    reads.push(...(await Promise.all(Array.from({ length: READS_AT_ONCE }, () => readInvoice(ctx, id)))));
  return reads;
}

export const steadyFailuresChecks: readonly Check[] = [
  checkInPhase(FIRST_IN_MAIN, 'ERR-10.existing-invoice', ['connection', 'read'], async (ctx) => {
    const { settleWithinMs } = ctx.target.limits;
    const { id } = await createInvoice(ctx);
    // A replica that will never have the invoice does not have it now. Other servers need no wait.
    if (!(await readRepeatedly(ctx, id, 2)).some(isAbsent)) return;
    // The late phase does not wait for this check, which only reads from now on.
    ctx.execution.allowLatePhase();
    await pause(Math.max(MIN_AGE_MS, settleWithinMs));
    const early = await readRepeatedly(ctx, id, 2);
    if (!early.some(isAbsent)) return;
    await pause(Math.max(MIN_LATENESS_MS, 2 * settleWithinMs));
    const late = await readRepeatedly(ctx, id, 2);
    const absent = late.find(isAbsent);
    if (!absent) blockedBySettleLimit('some reads of a new invoice returned 404 INV001, and later reads returned it');
    // Somebody may have emptied the sandbox, and another check judges an invoice that can never be read.
    const before = early.find(isSuccess);
    const after = (await readRepeatedly(ctx, id, 1)).find(isSuccess);
    if (!before || !after) return notApplicable('the invoice cannot be read', { judgedBy: 'CREATE-14.readable' });
    const succeeded = late.filter(isSuccess).length;
    const because = `the server returned 404 INV001 for an invoice that earlier and later reads returned; of ${late.length} reads at the same time, ${succeeded} returned it`;
    const expected = 'the invoice in every read (Errors, Module codes: INV001 means that the id does not exist)';
    throw breach(ctx, absent, expected, because, [before, after], { status: 'success' });
  }),

  // Late, because other checks show most of the time that the operation works.
  checkInPhase('late', 'ERR-12.balance', ['treasuryBalance'], (ctx) =>
    judgeTreasuryOperation(ctx, 'treasuryBalance', AMOUNTS.slice(0, 2)),
  ),

  checkInPhase('late', 'ERR-12.withdrawal', ['treasuryWithdraw'], (ctx) =>
    judgeTreasuryOperation(ctx, 'treasuryWithdraw', AMOUNTS),
  ),
];
