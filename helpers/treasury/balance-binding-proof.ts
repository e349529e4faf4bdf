import { missingOperationReason, rejectedPayloadReason } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundRecordIn, listItems } from '../../engine/records/invoice-records.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import { sendTreasuryRequest } from '../api/treasury-requests.ts';
import {
  findNonexistentPathProblem,
  findUncheckedWithdrawalProblem,
  recordBindingTrial,
} from '../bindings/wrong-binding.ts';
import type { CheckContext } from '../context/check.ts';
import { centsOf } from '../data/amounts.ts';
import { smallWithdrawalAmount } from '../data/withdrawal-amounts.ts';
import { ifReachable } from '../invoices/invoices.ts';
import { centsByPlace, waitForEarlierPayments, waitForLoweredAmount } from './balances/balance.ts';
import { changedPlaces, readProductionBalance } from './balances/production-balance.ts';
import { smallWithdrawal } from './withdrawals/small-withdrawal.ts';
import { unseenWithdrawalReason } from './withdrawals/unseen-withdrawal.ts';

/** Why the operation is not a balance; null if it may be one. */
export async function balanceBindingProblem(ctx: CheckContext): Promise<string | null> {
  const response = await sendTreasuryRequest(ctx, 'treasuryBalance');
  await recordBindingTrial(ctx, 'treasuryBalance', response);
  const why = missingOperationReason('treasuryBalance', response) ?? rejectedPayloadReason(response);
  if (why !== null) return why;
  if (!is2xx(response)) return await findNonexistentPathProblem(ctx, 'treasuryBalance', response, {});
  const shown = foundRecordIn(response)?.record ?? {};
  if ('invoiceNumber' in shown && 'dueDate' in shown) return 'shows an invoice; correct its path';
  const showsInvoices = listItems(response).some((record) => 'invoiceNumber' in record || 'dueDate' in record);
  if (showsInvoices) return 'shows a list of invoices; correct its path';
  return centsByPlace(response).size > 0
    ? null
    : 'shows no amount of money in a form such as 1234.56; correct its path, or declare it not-offered if the service writes amounts in another form';
}

/** Amounts of which every sandbox pays at least one. */
const PROOF_AMOUNTS = ['1.00', '25.00'];

/** Why the operation is not a withdrawal that the balance shows; null if it may be one. */
export async function withdrawalBindingProblem(ctx: CheckContext): Promise<string | null> {
  const before = await readBothBalances(ctx);
  // Other checks replay this withdrawal, so the proof needs none of its own.
  const small = await smallWithdrawal(ctx);
  if (small) {
    await recordBindingTrial(ctx, 'treasuryWithdraw', small.response);
    return await acceptedWithdrawalProblem(ctx, before, small.response, smallWithdrawalAmount(ctx));
  }
  let rejected: string | null = null;
  for (const amount of PROOF_AMOUNTS) {
    const before = await readBothBalances(ctx);
    const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, amount);
    await recordBindingTrial(ctx, 'treasuryWithdraw', response);
    const absent = missingOperationReason('treasuryWithdraw', response);
    if (absent !== null) return absent;
    rejected = rejectedPayloadReason(response);
    if (rejected !== null) continue;
    return await acceptedWithdrawalProblem(ctx, before, response, amount);
  }
  return rejected;
}

async function acceptedWithdrawalProblem(
  ctx: CheckContext,
  before: Balances,
  response: ApiResponse,
  amount: string,
): Promise<string | null> {
  if (ctx.target.simulatesWithdrawals && (await isShownImmediately(ctx, before, amount)))
    return `accepted ${amount} (${response.status}), and the balance fell by it, but the target file declares simulated: true; remove it`;
  const nothing = await nonWithdrawalProblem(ctx, response, amount);
  const isReadable = before.own !== null && is2xx(before.own);
  if (nothing !== null || ctx.target.simulatesWithdrawals || !isReadable) return nothing;
  if (await isShownImmediately(ctx, before, amount)) return null;
  // A concurrent settlement would hide the decrease.
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, () => probeUnseenExclusively(ctx, amount));
}

/** Whether the balance fell by the amount. */
async function isShownImmediately(ctx: CheckContext, { own }: Balances, amount: string): Promise<boolean> {
  if (!own || !is2xx(own)) return false;
  return (await waitForLoweredAmount(ctx, centsByPlace(own), centsOf(amount), 0)) !== null;
}

async function probeUnseenExclusively(ctx: CheckContext, amount: string): Promise<string | null> {
  const undisturbed = await readBothBalances(ctx);
  const again = await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, amount);
  if (isSuccess(again) && (await isShownImmediately(ctx, undisturbed, amount))) return null;
  await waitForEarlierPayments(ctx);
  const before = await readBothBalances(ctx);
  return await unseenProblem(ctx, before, await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, amount), amount);
}

interface Balances {
  own: ApiResponse | null;
  /** Null if the production key must not read it. */
  production: ApiResponse | null;
}

async function readBothBalances(ctx: CheckContext): Promise<Balances> {
  const own = ctx.target.operations.treasuryBalance ? await sendTreasuryRequest(ctx, 'treasuryBalance') : null;
  const [production] = ctx.target.actors.production && own ? await ifReachable(() => readProductionBalance(ctx)) : [];
  return { own, production: production ?? null };
}

/**
 * Why a withdrawal does not show in the balance. Null if the target file declares that, or if production paid, which a
 * check judges.
 */
async function unseenProblem(
  ctx: CheckContext,
  { own: before, production }: Balances,
  withdrawal: ApiResponse,
  amount: string,
): Promise<string | null> {
  if (!before || !is2xx(before) || centsByPlace(before).size === 0 || !isSuccess(withdrawal)) return null;
  const why = await unseenWithdrawalReason(ctx, { before, withdrawal, amount });
  const isPaid = why !== null && production && changedPlaces(production, await readProductionBalance(ctx)).length > 0;
  return isPaid ? null : why;
}

/** Why the operation is not a withdrawal; null if it may be one. */
async function nonWithdrawalProblem(ctx: CheckContext, response: ApiResponse, amount: string): Promise<string | null> {
  const tellsSum = isSuccess(response) && response.text.includes(amount);
  const nothing = tellsSum ? null : await findNonexistentPathProblem(ctx, 'treasuryWithdraw', response, { amount });
  return nothing ?? (await findUncheckedWithdrawalProblem(ctx));
}
