import { setTimeout as pause } from 'node:timers/promises';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { isBusinessRule } from '../../helpers/api/error-codes.ts';
import { sendTreasuryRequest, treasuryActor } from '../../helpers/api/operations.ts';
import { type ApiResponse, bodyMember, describeResponse, invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, checkInPhase, FIRST_IN_LATE } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { centsOf, formatAmount } from '../../helpers/data/amounts.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { type Party, performAction } from '../../helpers/invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable } from '../../helpers/invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/rejected-action.ts';
import { expectListedAsRead } from '../../helpers/lists/list-consistency.ts';
import { centsByPlace, MAX_BALANCE_LAG_MS, waitForLoweredAmount } from '../../helpers/treasury/balances/balance.ts';
import { hasCreditLine } from '../../helpers/treasury/balances/credit-line.ts';
import { type PartyBalances, readPartyBalances } from '../../helpers/treasury/balances/party-balances.ts';
import {
  createUnfundedInvoice,
  lendUnfundedInvoice,
  MAX_SANDBOX_CENTS,
  readBuyerBalance,
  skipUnlessRejectedForFunds,
} from '../../helpers/treasury/settlements/insufficient-funds.ts';
import { SETTLEMENT_NEEDS } from '../../helpers/treasury/settlements/rejected-settlement.ts';

const UNCOVERED_AMOUNT = '9999999999999.99';

const MAX_BALANCE_AMOUNTS = 6;

interface UncoveredWithdrawal {
  amount: string;
  balanceBefore: ApiResponse | null;
  response: ApiResponse;
  balanceAfter: ApiResponse | null;
}

/** The run's first withdrawal beyond the funds, with the balance before and after it. */
async function firstUncoveredWithdrawal(ctx: CheckContext): Promise<UncoveredWithdrawal> {
  return await ctx.run.memoize('withdrawal beyond the funds', () =>
    ctx.run.balanceLock.exclusive(ctx.execution.id, () => withdrawUncoveredAmount(ctx)),
  );
}

async function withdrawUncoveredAmount(ctx: CheckContext): Promise<UncoveredWithdrawal> {
  const balance = async () =>
    ctx.target.operations.treasuryBalance ? await sendTreasuryRequest(ctx, 'treasuryBalance') : null;
  const before = await balance();
  let amount = UNCOVERED_AMOUNT;
  let response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
  // The contract sets no maximum number of digits, so the amount is shortened while it exceeds the funds.
  const most = before ? Math.max(0, ...centsByPlace(before).values()) : 0;
  while (response.status === 400 && most > 0 && Number(amount.slice(1)) * 100 > most) {
    amount = amount.slice(1);
    response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
  }
  return { amount, balanceBefore: before, response: response, balanceAfter: await balance() };
}

/** Whether the server rejects a withdrawal beyond the funds with 412 TREAS007. */
async function hasFundsLimit(ctx: CheckContext): Promise<boolean> {
  if (!ctx.target.operations.treasuryWithdraw) return false;
  const { response } = await firstUncoveredWithdrawal(ctx);
  return response.status === 412 && bodyMember(response, 'code') === 'TREAS007';
}

const WITHDRAWAL_REPETITIONS = 3;

/** Whether the balance falls with every withdrawal beyond the funds, but not without one. */
async function isDecreaseReproducible(ctx: CheckContext): Promise<boolean> {
  return await ctx.run.balanceLock.exclusive(ctx.execution.id, async () => {
    for (let time = 0; time < WITHDRAWAL_REPETITIONS; time += 1) {
      const started = performance.now();
      const { balanceBefore, balanceAfter } = await withdrawUncoveredAmount(ctx);
      const took = performance.now() - started;
      if (!balanceBefore || !balanceAfter || decreasedPlaces(balanceBefore, balanceAfter).length === 0) return false;
      await pause(took);
      const later = await sendTreasuryRequest(ctx, 'treasuryBalance');
      if (decreasedPlaces(balanceAfter, later).length > 0) return false;
    }
    return true;
  });
}

/** The amounts of a balance that are lower than before, in cents, with their places. */
function decreasedPlaces(before: ApiResponse, after: ApiResponse): [place: string, now: number][] {
  const then = centsByPlace(before);
  return [...centsByPlace(after)].filter(([place, now]) => now < (then.get(place) ?? now));
}

/** The places of a balance that an accepted withdrawal lowers by its amount. All places if no withdrawal is accepted. */
async function findFundsPlaces(ctx: CheckContext): Promise<{ has: (place: string) => boolean }> {
  return await ctx.run.balanceLock.exclusive(ctx.execution.id, async () => {
    const { cents, text } = withdrawalAmountFor(ctx, 'places of funds');
    const then = centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance'));
    if (!isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, text))) return { has: () => true };
    const lowered = await waitForLoweredAmount(ctx, then, cents, MAX_BALANCE_LAG_MS);
    if (!lowered) return { has: () => true };
    const now = [...centsByPlace(lowered.response)];
    return new Set(now.filter(([place, left]) => (then.get(place) ?? left) - left === cents).map(([place]) => place));
  });
}

/** In cents. Smaller numbers may be counters instead of funds. */
const MIN_FUNDS_CENTS = 10_000;

/** Whether the amount at this place is the largest of the balance, and therefore the funds. */
function isLargestAmount(then: ReadonlyMap<string, number>, place: string): boolean {
  const cents = then.get(place) ?? 0;
  return cents >= MIN_FUNDS_CENTS && cents === Math.max(...then.values());
}

/**
 * Throws a Breach if an accepted payment beyond the funds overdrew the balance or emptied it. Throws NotApplicable if the payment
 * was only simulated, or if there is a line of credit; a request that was `refused` for insufficient funds rules out credit.
 */
async function expectNoOverdraft(
  ctx: CheckContext,
  before: ApiResponse | null,
  withdrawal: ApiResponse,
  amount: string,
  { party, refused }: { party?: Party; refused?: ApiResponse } = {},
): Promise<void> {
  if (!before)
    return notApplicable('the withdrawal was accepted, and the target file has no operations.treasuryBalance');
  const then = centsByPlace(before);
  const as = ctx.credentials(party ?? treasuryActor(ctx, 'treasuryBalance'));
  const after = await sendTreasuryRequest(ctx, 'treasuryBalance', { as });
  const fallen = [...centsByPlace(after)].some(([place, now]) => now < (then.get(place) ?? now) && now < 0);
  const covered = [...then.values()].some((cents) => cents >= centsOf(amount));
  const emptied = [...centsByPlace(after)].find(([place, now]) => now === 0 && isLargestAmount(then, place));
  if (emptied && !covered) {
    const because = `accepted, and ${emptied[0]} is now 0: the available funds were paid`;
    throw breach(ctx, withdrawal, '412 with code TREAS007', because, [before, after]);
  }
  if (!fallen || covered) return notApplicable('the sandbox only simulates withdrawals, or the funds cover the amount');
  const withdrawn = async () =>
    (await hasFundsLimit(ctx)) &&
    isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', { as }, formatAmount(ONE_UNIT_CENTS)));
  const paid = async () => party === 'buyer' && (await hasCreditLine(ctx, Math.max(...then.values())));
  if (!refused && ((await withdrawn()) || (await paid())))
    return notApplicable(
      'the server has a line of credit: it accepts further payments from an overdrawn balance, up to a limit',
    );
  throw breach(
    ctx,
    withdrawal,
    '412 with code TREAS007',
    `accepted, and the balance is overdrawn: ${describeResponse(after)}`,
    [...(refused ? [refused] : []), after],
  );
}

/**
 * Throws a Breach if a settlement beyond the funds was accepted and never takes effect, although a covered settlement returns the
 * same status and settles at once. A queued payment returns another status.
 */
async function expectPaymentMade(
  ctx: CheckContext,
  unfunded: ApiResponse,
  invoice: Invoice,
  before: ApiResponse,
): Promise<void> {
  const { held, response } = await waitForInvoice(ctx, invoice.id, hasLeftState(invoice.state));
  if (held) return;
  const [covered] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount: payableAmount(before) }));
  const control = covered && (await performAction(ctx, 'settle', covered.id));
  if (!control || control.status !== unfunded.status || invoiceIn(control)?.status !== 'SETTLED') return;
  const because = `accepted, and the invoice stays ${invoice.state}`;
  throw breach(ctx, unfunded, '412 with code TREAS007', because, [response, control]);
}

/** Negative as a signed 32-bit number. */
const INT32_OVERFLOW_CENTS = 3_000_000_000;

/** Settles an amount beyond the funds that overflows a signed 32-bit number of cents. Null if no such invoice can be created. */
async function settleOverflowingAmount(
  ctx: CheckContext,
  most: number,
): Promise<{ answer: ApiResponse; amount: string } | null> {
  let cents = INT32_OVERFLOW_CENTS;
  while (cents <= most) cents += 2 ** 32;
  const amount = formatAmount(cents);
  const [invoice] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount }));
  return invoice ? { answer: await performAction(ctx, 'settle', invoice.id), amount } : null;
}

/** Throws a Breach if a rejected settlement changed a party's funds by its amount, once or twice, or emptied them. */
async function expectNoFundsMoved(
  ctx: CheckContext,
  before: PartyBalances,
  cents: number,
  refusal: ApiResponse,
): Promise<void> {
  const now = await readPartyBalances(ctx);
  for (const party of ['seller', 'buyer'] as const) {
    const own = new Map([...before].filter(([place]) => place.startsWith(party)));
    const moved = [...own].find(([place, then]) => {
      const left = now.get(place) ?? then;
      const by = Math.abs(left - then);
      return isLargestAmount(own, place) && (by === cents || by === 2 * cents || left === 0);
    });
    if (!moved) continue;
    const [place, then] = moved;
    const because = `rejected, but ${place} changed from ${formatAmount(then)} to ${formatAmount(now.get(place) ?? then)}`;
    throw breach(ctx, refusal, 'a rejection that moves no money', because);
  }
}

/**
 * Expects TREAS007 for a payment beyond the funds. Throws NotApplicable if a covered payment gets the same rejection, because a
 * server may check other payment rules before the funds.
 */
async function expectInsufficientFundsCode(
  ctx: CheckContext,
  refusal: ApiResponse,
  covered: () => Promise<ApiResponse | null>,
): Promise<void> {
  const code = bodyMember(refusal, 'code');
  if (code === 'TREAS007') return;
  const control = isBusinessRule(refusal) ? await covered() : null;
  if (control?.status === refusal.status && bodyMember(control, 'code') === code)
    notApplicable(`the server rejects a covered payment in the same way: ${describeResponse(control)}`);
  throw breach(ctx, refusal, '412 with code TREAS007', `the code is ${JSON.stringify(code)}`, control ? [control] : []);
}

/** Throws a Breach if a payment beyond the funds returns 500 twice, while a covered payment is accepted. */
async function expectNoInternalError(
  ctx: CheckContext,
  response: ApiResponse,
  again: () => Promise<ApiResponse>,
  covered: () => Promise<ApiResponse | null>,
): Promise<void> {
  if (response.status !== 500) return;
  const second = await again();
  const control = second.status === 500 ? await covered() : null;
  if (!control || !isSuccess(control)) return;
  const because = 'answered with 500 twice, although a covered payment is accepted';
  throw breach(ctx, response, '412 with code TREAS007', because, [second, control]);
}

/** Withdraws all but one unit of the largest amount of the balance. Null if the balance shows no suitable amount. */
async function withdrawCoveredAmount(ctx: CheckContext): Promise<ApiResponse | null> {
  if (!ctx.target.operations.treasuryBalance)
    return await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, SMALL_AMOUNT);
  // Concurrent withdrawals of other checks would leave too little.
  return await ctx.run.balanceLock.exclusive(ctx.execution.id, async () => {
    const most = Math.max(0, ...centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance')).values());
    return most > ONE_UNIT_CENTS && most < MAX_SANDBOX_CENTS
      ? await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, formatAmount(most - ONE_UNIT_CENTS))
      : null;
  });
}

/** The largest amount of a balance minus one unit, formatted. */
function payableAmount(balance: ApiResponse): string {
  return formatAmount(Math.max(0, ...centsByPlace(balance).values()) - ONE_UNIT_CENTS);
}

const SMALL_AMOUNT = '0.11';

/** One currency unit, in cents. */
const ONE_UNIT_CENTS = 100;

/** Expects rejections for a settlement of one cent more than the funds, and for an amount that overflows 32 bits. */
async function expectUnfundedSettlementRejected(ctx: CheckContext, invoice: Invoice): Promise<void> {
  const { amount } = invoice.body;
  const most = centsOf(amount) - 1;
  const before = await readBuyerBalance(ctx);
  const funds = await readPartyBalances(ctx);
  const response = await performAction(ctx, 'settle', invoice.id);
  if (isSuccess(response)) {
    await expectPaymentMade(ctx, response, invoice, before);
    return await expectNoOverdraft(ctx, before, response, amount, { party: 'buyer' });
  }
  const settled = async (sum: string) => {
    const [other] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', { amount: sum }));
    return other ? await performAction(ctx, 'settle', other.id) : null;
  };
  await expectNoInternalError(
    ctx,
    response,
    () => performAction(ctx, 'settle', invoice.id),
    () => settled(withdrawalAmountFor(ctx, 'covered').text),
  );
  skipUnlessRejectedForFunds(response);
  await expectInsufficientFundsCode(ctx, response, () => settled(payableAmount(before)));
  await expectInvoiceUnchanged(ctx, invoice, null, response);
  await expectListedAsRead(ctx, invoice.id, response);
  // A repeated request must not be accepted: the funds are the same.
  const again = await performAction(ctx, 'settle', invoice.id, { headers: sandboxHeader });
  if (isSuccess(again))
    return await expectNoOverdraft(ctx, before, again, amount, { party: 'buyer', refused: response });
  await expectInvoiceUnchanged(ctx, invoice, null, again);
  await expectNoFundsMoved(ctx, funds, most + 1, response);
  const wrapped = await settleOverflowingAmount(ctx, most);
  if (wrapped && isSuccess(wrapped.answer))
    await expectNoOverdraft(ctx, before, wrapped.answer, wrapped.amount, { party: 'buyer', refused: response });
}

export const insufficientFundsChecks: readonly Check[] = [
  checkInPhase(FIRST_IN_LATE, 'TREAS-01.beyond-funds', ['seller', 'treasuryWithdraw'], async (ctx) => {
    const { amount, balanceBefore, response } = await firstUncoveredWithdrawal(ctx);
    ctx.observe('treasury-withdraw-answer', response.status);
    if (isSuccess(response)) return await expectNoOverdraft(ctx, balanceBefore, response, amount);
    if (response.status !== 412)
      notApplicable(
        `a withdrawal of ${amount} is rejected with ${response.status}, for another reason than insufficient funds`,
      );
    await expectInsufficientFundsCode(ctx, response, () => withdrawCoveredAmount(ctx));
    // A repeated request must not be accepted either, with or without a requestId.
    await ctx.run.balanceLock.exclusive(ctx.execution.id, async () => {
      for (const extra of [{}, { requestId: ctx.createRequestId().padEnd(60, '-'), headers: sandboxHeader }]) {
        const again = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { ...extra, exceedsFunds: true }, amount);
        if (isSuccess(again)) await expectNoOverdraft(ctx, balanceBefore, again, amount, { refused: response });
        else if (again.status === 412) await expectInsufficientFundsCode(ctx, again, () => withdrawCoveredAmount(ctx));
      }
    });
  }),

  checkInPhase(FIRST_IN_LATE, 'TREAS-01.unchanged', ['seller', 'treasuryWithdraw', 'treasuryBalance'], async (ctx) => {
    const { balanceBefore, response, balanceAfter } = await firstUncoveredWithdrawal(ctx);
    if (!balanceBefore || !balanceAfter) return notApplicable('the balance cannot be read');
    if (response.status !== 412) notApplicable(`a withdrawal beyond the funds returns ${response.status}, not 412`);
    const then = centsByPlace(balanceBefore);
    const fallen = decreasedPlaces(balanceBefore, balanceAfter);
    if (fallen.length === 0) return;
    // Foreign payments may lower the balance, but hardly to 0, and hardly with every repetition.
    if (fallen.every(([, now]) => now !== 0) && !(await isDecreaseReproducible(ctx))) return;
    // A balance may also contain counters, such as remaining attempts or seconds.
    const paid = await findFundsPlaces(ctx);
    const [place, now] = fallen.find(([each]) => paid.has(each)) ?? [];
    if (place === undefined || now === undefined)
      return notApplicable('the number that fell is not one that a withdrawal lowers by its amount');
    const because = `${place} fell from ${(then.get(place) ?? 0) / 100} to ${now / 100}`;
    throw breach(ctx, balanceAfter, 'the balance as before the rejected withdrawal', because, [
      balanceBefore,
      response,
    ]);
  }),

  checkInPhase(FIRST_IN_LATE, 'TREAS-01.one-cent-more', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (ctx) =>
    ctx.run.balanceLock.exclusive(ctx.execution.id, async () => {
      const before = await sendTreasuryRequest(ctx, 'treasuryBalance');
      const sums = [...new Set(centsByPlace(before).values())]
        .filter((cents) => cents > 0)
        .slice(0, MAX_BALANCE_AMOUNTS);
      if (sums.length === 0) notApplicable('the balance shows no funds');
      // The available funds are at most the largest number of the balance.
      const most = Math.max(...sums);
      // The second amount has one digit more, but is smaller in a comparison as text.
      for (const cents of [most + 1, 10 ** String(most).length]) {
        const amount = formatAmount(cents);
        const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
        const more = () => sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
        await expectNoInternalError(ctx, response, more, () =>
          sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, SMALL_AMOUNT),
        );
        if (isSuccess(response)) await expectNoOverdraft(ctx, before, response, amount);
        else if (response.status === 412)
          await expectInsufficientFundsCode(ctx, response, () => withdrawCoveredAmount(ctx));
      }
    }),
  ),

  // Before the other checks that settle beyond the funds, so that it sees the funds before any attempt.
  checkInPhase(FIRST_IN_LATE, 'TREAS-01.settlement', SETTLEMENT_NEEDS, (ctx) =>
    lendUnfundedInvoice(ctx, () =>
      // The amount is one cent more than the funds only while no other check changes them.
      ctx.run.balanceLock.exclusive(ctx.execution.id, async () => {
        const invoice = await createUnfundedInvoice(ctx);
        await expectUnfundedSettlementRejected(ctx, invoice);
        return invoice;
      }),
    ),
  ),
];
