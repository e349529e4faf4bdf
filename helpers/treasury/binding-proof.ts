import { missingOperationReason, rejectedPayloadReason } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundRecordIn, listItems } from '../../engine/records/find-invoice-record.ts';
import { sendTreasuryRequest } from '../api/operations.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import { findNonexistentPathProblem, findUncheckedWithdrawalProblem } from '../bindings/wrong-binding.ts';
import { recordBindingTrial } from '../context/binding-trials.ts';
import type { CheckContext } from '../context/check-context.ts';
import { centsOf } from '../data/amounts.ts';
import { ifReachable } from '../invoices/invoices.ts';
import { centsByPlace, waitForLoweredAmount } from './balances/balance.ts';
import { changedPlaces, readProductionBalance } from './balances/production-balance.ts';
import { SMALL_WITHDRAWAL_AMOUNT, smallWithdrawal } from './withdrawals/small-withdrawal.ts';
import { unseenWithdrawalReason } from './withdrawals/unseen-withdrawal.ts';

/** Why the balance is not bound to one; null where it may be. */
export async function balanceBindingProblem(lab: CheckContext): Promise<string | null> {
  const answer = await sendTreasuryRequest(lab, 'treasuryBalance');
  await recordBindingTrial(lab, 'treasuryBalance', answer);
  const why = missingOperationReason('treasuryBalance', answer) ?? rejectedPayloadReason(answer);
  if (why !== null) return why;
  if (!is2xx(answer)) return await findNonexistentPathProblem(lab, 'treasuryBalance', answer, {});
  const shown = foundRecordIn(answer)?.record ?? {};
  if ('invoiceNumber' in shown && 'dueDate' in shown) return 'shows an invoice; correct its path';
  const showsInvoices = listItems(answer).some((record) => 'invoiceNumber' in record || 'dueDate' in record);
  if (showsInvoices) return 'shows a list of invoices; correct its path';
  return centsByPlace(answer).size > 0 ? null : 'shows no sum of money; correct its path';
}

/** Sums of which any sandbox pays one. */
const PROOF_AMOUNTS = ['1.00', '25.00'];

/** Why the withdrawal is not bound to one that the balance shows; null where it may be. */
export async function withdrawalBindingProblem(lab: CheckContext): Promise<string | null> {
  const before = await readBothBalances(lab);
  // Other checks replay this withdrawal, so that the proof costs none of its own.
  const small = await smallWithdrawal(lab);
  if (small) {
    await recordBindingTrial(lab, 'treasuryWithdraw', small.response);
    return await acceptedWithdrawalProblem(lab, before, small.response, SMALL_WITHDRAWAL_AMOUNT);
  }
  let refused: string | null = null;
  for (const amount of PROOF_AMOUNTS) {
    const before = await readBothBalances(lab);
    const answer = await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, amount);
    await recordBindingTrial(lab, 'treasuryWithdraw', answer);
    const absent = missingOperationReason('treasuryWithdraw', answer);
    if (absent !== null) return absent;
    refused = rejectedPayloadReason(answer);
    if (refused !== null) continue;
    return await acceptedWithdrawalProblem(lab, before, answer, amount);
  }
  return refused;
}

async function acceptedWithdrawalProblem(
  lab: CheckContext,
  before: Balances,
  answer: ApiResponse,
  amount: string,
): Promise<string | null> {
  const nothing = await nonWithdrawalProblem(lab, answer, amount);
  if (nothing !== null || (await isShownImmediately(lab, before, amount))) return nothing;
  // A settlement meanwhile would hide what falls.
  return await lab.run.balanceLock.exclusive(lab.execution.id, () => probeUnseenExclusively(lab, amount));
}

async function isShownImmediately(lab: CheckContext, { own }: Balances, amount: string): Promise<boolean> {
  if (!own || !is2xx(own) || lab.target.simulatesWithdrawals) return true;
  return (await waitForLoweredAmount(lab, centsByPlace(own), centsOf(amount), 0)) !== null;
}

async function probeUnseenExclusively(lab: CheckContext, amount: string): Promise<string | null> {
  const before = await readBothBalances(lab);
  return await unseenProblem(lab, before, await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, amount), amount);
}

interface Balances {
  own: ApiResponse | null;
  /** Null where the production key may not ask for it. */
  production: ApiResponse | null;
}

async function readBothBalances(lab: CheckContext): Promise<Balances> {
  const own = lab.target.operations.treasuryBalance ? await sendTreasuryRequest(lab, 'treasuryBalance') : null;
  const [production] = lab.target.actors.production && own ? await ifReachable(() => readProductionBalance(lab)) : [];
  return { own, production: production ?? null };
}

/** Of a withdrawal that no balance shows, unless the target file says so. One that production pays is judged. */
async function unseenProblem(
  lab: CheckContext,
  { own: before, production }: Balances,
  withdrawal: ApiResponse,
  amount: string,
): Promise<string | null> {
  if (!before || !is2xx(before) || centsByPlace(before).size === 0 || !isSuccess(withdrawal)) return null;
  const why = await unseenWithdrawalReason(lab, { before, withdrawal, amount });
  const isPaid = why !== null && production && changedPlaces(production, await readProductionBalance(lab)).length > 0;
  return isPaid ? null : why;
}

/** Why what answered is no withdrawal; null where it may be one. */
async function nonWithdrawalProblem(lab: CheckContext, answer: ApiResponse, amount: string): Promise<string | null> {
  const tellsSum = isSuccess(answer) && answer.text.includes(amount);
  const nothing = tellsSum ? null : await findNonexistentPathProblem(lab, 'treasuryWithdraw', answer, { amount });
  return nothing ?? (await findUncheckedWithdrawalProblem(lab));
}
