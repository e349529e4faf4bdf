import { setTimeout as pause } from 'node:timers/promises';
import { readInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, bodyMember, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { statusIsNot } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/unjudged-outcomes.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { createInvoice } from '../../helpers/invoices/invoices.ts';
import { SMALL_WITHDRAWAL_AMOUNT } from '../../helpers/treasury/withdrawals/small-withdrawal.ts';

/** Amounts of which every sandbox pays at least one. */
const AMOUNTS = [SMALL_WITHDRAWAL_AMOUNT, '1.00', '25.00'];

async function expectUsable(
  ctx: CheckContext,
  name: 'treasuryBalance' | 'treasuryWithdraw',
  amounts: readonly string[],
): Promise<void> {
  const failed: ApiResponse[] = [];
  for (const amount of amounts) {
    if (ctx.run.permissions.hasSucceeded(name)) return;
    const response = await sendTreasuryRequest(ctx, name, {}, amount);
    if (response.status !== 500) return;
    failed.push(response);
  }
  const [first] = failed;
  if (!first) return;
  const because = `the server returned 500 to every request of operations.${name} in this run`;
  const expected = `a response other than 500 to a valid request (Other operations: the interface has this operation; Status codes: 500 is an internal error)`;
  expectThat(ctx, false, first, expected, because, statusIsNot(500));
}

/** Replicas have received the invoice after this time at the latest, in milliseconds. */
const MIN_AGE_MS = 2000;
const READS_AT_ONCE = 4;

export const steadyFailuresChecks: readonly Check[] = [
  check('ERR-10.existing-invoice', ['connection', 'read'], async (ctx) => {
    const { id } = await createInvoice(ctx);
    await pause(Math.max(MIN_AGE_MS, ctx.target.limits.settleWithinMs));
    const reads: ApiResponse[] = [];
    for (let round = 0; round < 2; round += 1)
      reads.push(...(await Promise.all(Array.from({ length: READS_AT_ONCE }, () => readInvoice(ctx, id)))));
    const absent = reads.find((each) => each.status === 404 && bodyMember(each, 'code') === 'INV001');
    if (!absent) return;
    // Somebody may have emptied the sandbox, and another check judges an invoice that can never be read.
    const before = reads.find((each) => isSuccess(each) && each.sentAt <= absent.sentAt);
    const after = reads.findLast((each) => isSuccess(each) && each.sentAt >= absent.sentAt);
    if (!after) notApplicable('the invoice can no longer be read', { judgedBy: 'CREATE-14.readable' });
    const succeeded = reads.filter(isSuccess).length;
    const because = `the server returned 404 INV001 for an invoice that ${succeeded} of ${reads.length} reads returned, before or after this one`;
    const expected = 'the invoice in every read (Errors, Module codes: INV001 means that the id does not exist)';
    throw breach(ctx, absent, expected, because, before ? [before, after] : [after], { status: 'success' });
  }),

  check('ERR-12.balance', ['treasuryBalance'], (ctx) => expectUsable(ctx, 'treasuryBalance', AMOUNTS.slice(0, 2))),

  check('ERR-12.withdrawal', ['treasuryWithdraw'], (ctx) => expectUsable(ctx, 'treasuryWithdraw', AMOUNTS)),
];
