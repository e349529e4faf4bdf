import { absence, refusedPayload } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundIn, listItems } from '../../engine/records/find-invoice-record.ts';
import { treasury } from '../api/operations.ts';
import { isShown, isSuccess } from '../api/responses.ts';
import { answeredAsNothing, paysWhatever } from '../bindings/wrong-binding.ts';
import { noteTrial } from '../context/binding-trials.ts';
import type { Lab } from '../context/check-context.ts';
import { centsOf } from '../data/amounts.ts';
import { whereReachable } from '../invoices/invoices.ts';
import { amountsOf, placeLoweredBy } from './balances/balance.ts';
import { movedPlaces, productionFunds } from './balances/production-balance.ts';
import { SMALL_SUM, smallWithdrawal } from './withdrawals/small-withdrawal.ts';
import { whyUnseen } from './withdrawals/unseen-withdrawal.ts';

/** Why the balance is not bound to one; null where it may be. */
export async function balanceWrong(lab: Lab): Promise<string | null> {
  const answer = await treasury(lab, 'treasuryBalance');
  await noteTrial(lab, 'treasuryBalance', answer);
  const why = absence('treasuryBalance', answer) ?? refusedPayload(answer);
  if (why !== null) return why;
  if (!isShown(answer)) return await answeredAsNothing(lab, 'treasuryBalance', answer, {});
  const shown = foundIn(answer)?.record ?? {};
  if ('invoiceNumber' in shown && 'dueDate' in shown) return 'shows an invoice; correct its path';
  const showsInvoices = listItems(answer).some((record) => 'invoiceNumber' in record || 'dueDate' in record);
  if (showsInvoices) return 'shows a list of invoices; correct its path';
  return amountsOf(answer).size > 0 ? null : 'shows no sum of money; correct its path';
}

/** Sums of which any sandbox pays one. */
const SMALL_SUMS = ['1.00', '25.00'];

/** Why the withdrawal is not bound to one that the balance shows; null where it may be. */
export async function withdrawalWrong(lab: Lab): Promise<string | null> {
  const before = await balances(lab);
  // Other checks replay this withdrawal, so that the proof costs none of its own.
  const small = await smallWithdrawal(lab);
  if (small) {
    await noteTrial(lab, 'treasuryWithdraw', small.answer);
    return await acceptedWrong(lab, before, small.answer, SMALL_SUM);
  }
  let refused: string | null = null;
  for (const amount of SMALL_SUMS) {
    const before = await balances(lab);
    const answer = await treasury(lab, 'treasuryWithdraw', {}, amount);
    await noteTrial(lab, 'treasuryWithdraw', answer);
    const absent = absence('treasuryWithdraw', answer);
    if (absent !== null) return absent;
    refused = refusedPayload(answer);
    if (refused !== null) continue;
    return await acceptedWrong(lab, before, answer, amount);
  }
  return refused;
}

async function acceptedWrong(lab: Lab, before: Balances, answer: ApiResponse, amount: string): Promise<string | null> {
  const nothing = await noWithdrawal(lab, answer, amount);
  if (nothing !== null || (await showsAtOnce(lab, before, amount))) return nothing;
  // A settlement meanwhile would hide what falls.
  return await lab.run.funds.quietFor(lab.asking.id, () => unseenWhileQuiet(lab, amount));
}

async function showsAtOnce(lab: Lab, { own }: Balances, amount: string): Promise<boolean> {
  if (!own || !isShown(own) || lab.target.simulatesWithdrawals) return true;
  return (await placeLoweredBy(lab, amountsOf(own), centsOf(amount), 0)) !== null;
}

async function unseenWhileQuiet(lab: Lab, amount: string): Promise<string | null> {
  const before = await balances(lab);
  return await unseen(lab, before, await treasury(lab, 'treasuryWithdraw', {}, amount), amount);
}

interface Balances {
  own: ApiResponse | null;
  /** Null where the production key may not ask for it. */
  production: ApiResponse | null;
}

async function balances(lab: Lab): Promise<Balances> {
  const own = lab.target.operations.treasuryBalance ? await treasury(lab, 'treasuryBalance') : null;
  const [production] = lab.target.actors.production && own ? await whereReachable(() => productionFunds(lab)) : [];
  return { own, production: production ?? null };
}

/** Of a withdrawal that no balance shows, unless the target file says so. One that production pays is judged. */
async function unseen(
  lab: Lab,
  { own: before, production }: Balances,
  withdrawal: ApiResponse,
  amount: string,
): Promise<string | null> {
  if (!before || !isShown(before) || amountsOf(before).size === 0 || !isSuccess(withdrawal)) return null;
  const why = await whyUnseen(lab, { before, withdrawal, amount });
  const isPaid = why !== null && production && movedPlaces(production, await productionFunds(lab)).length > 0;
  return isPaid ? null : why;
}

/** Why what answered is no withdrawal; null where it may be one. */
async function noWithdrawal(lab: Lab, answer: ApiResponse, amount: string): Promise<string | null> {
  const tellsSum = isSuccess(answer) && answer.text.includes(amount);
  const nothing = tellsSum ? null : await answeredAsNothing(lab, 'treasuryWithdraw', answer, { amount });
  return nothing ?? (await paysWhatever(lab));
}
