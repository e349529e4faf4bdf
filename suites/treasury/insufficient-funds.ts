import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { type ApiResponse, isInsufficientFunds, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, checkInPhase, FIRST_IN_LATE, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { formatAmount } from '../../helpers/data/amounts.ts';
import { smallCoveredAmount } from '../../helpers/data/withdrawal-amounts.ts';
import { ifReachable } from '../../helpers/invoices/invoices.ts';
import { centsByPlace, onceFundsShow } from '../../helpers/treasury/balances/balance.ts';
import { hasWithdrawals } from '../../helpers/treasury/concurrency/booked-payments.ts';
import { expectBooked } from '../../helpers/treasury/concurrency/booking-problems.ts';
import { acceptedExcesses } from '../../helpers/treasury/insufficient-funds/accepted-excess.ts';
import { withdrawCoveredAmount } from '../../helpers/treasury/insufficient-funds/covered-withdrawal.ts';
import { expectNoOverdraft } from '../../helpers/treasury/insufficient-funds/overdraft.ts';
import {
  expectInsufficientFundsCode,
  expectNoInternalError,
} from '../../helpers/treasury/insufficient-funds/payment-rejection.ts';
import { expectSpentFundsCounted } from '../../helpers/treasury/insufficient-funds/spent-funds.ts';
import {
  createUncoveredInvoice,
  lendUncoveredInvoice,
} from '../../helpers/treasury/insufficient-funds/uncovered-invoice.ts';
import { expectUncoveredSettlementRejected } from '../../helpers/treasury/insufficient-funds/uncovered-settlement.ts';
import {
  decreasedPlaces,
  findFundsPlaces,
  firstUncoveredWithdrawal,
  isDecreaseReproducible,
} from '../../helpers/treasury/insufficient-funds/uncovered-withdrawal.ts';
import { SETTLEMENT_NEEDS } from '../../helpers/treasury/settlements/rejected-settlement.ts';

const MAX_BALANCE_AMOUNTS = 6;

export const insufficientFundsChecks: readonly Check[] = [
  checkInPhase(FIRST_IN_LATE, 'TREAS-01.beyond-funds', ['seller', 'treasuryWithdraw'], async (ctx) => {
    const { amount, balanceBefore, response } = await firstUncoveredWithdrawal(ctx);
    ctx.observe('treasury-withdraw-response', response.status);
    if (isSuccess(response)) return await expectNoOverdraft(ctx, balanceBefore, response, amount);
    if (response.status !== 412)
      notApplicable(
        `a withdrawal of ${amount} is rejected with ${response.status}, perhaps for a reason other than insufficient funds`,
      );
    await expectInsufficientFundsCode(ctx, response, () => withdrawCoveredAmount(ctx, response));
    // A repeated request must not be accepted either, with or without a requestId.
    await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
      for (const extra of [{}, { requestId: ctx.createRequestId().padEnd(60, '-'), headers: sandboxHeader }]) {
        const again = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { ...extra, exceedsFunds: true }, amount);
        if (isSuccess(again)) await expectNoOverdraft(ctx, balanceBefore, again, amount, { rejected: response });
        else if (again.status === 412)
          await expectInsufficientFundsCode(ctx, again, () => withdrawCoveredAmount(ctx, again));
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
      return notApplicable('none of the balance fields that fell is one that a withdrawal lowers by its amount');
    const because = `${place} fell from ${(then.get(place) ?? 0) / 100} to ${now / 100}`;
    throw breach(ctx, balanceAfter, 'the balance as before the rejected withdrawal', because, [
      balanceBefore,
      response,
    ]);
  }),

  checkInPhase(FIRST_IN_LATE, 'TREAS-01.one-cent-more', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (ctx) => {
    const work = async () => {
      for (const seen of acceptedExcesses(ctx.run))
        await ifReachable(() => expectNoOverdraft(ctx, seen.before, seen.response, seen.amount, { seen }));
      const before = await sendTreasuryRequest(ctx, 'treasuryBalance');
      const sums = [...new Set(centsByPlace(before).values())]
        .filter((cents) => cents > 0)
        .slice(0, MAX_BALANCE_AMOUNTS);
      if (sums.length === 0) notApplicable('the balance shows no funds');
      // The available funds are at most the largest number of the balance.
      const most = Math.max(...sums);
      let rejected: ApiResponse | null = null;
      // The second amount has one digit more, but is smaller in a comparison as text.
      for (const cents of [most + 1, 10 ** String(most).length]) {
        const amount = formatAmount(cents);
        const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
        const more = () => sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
        await expectNoInternalError(ctx, response, more, () =>
          sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, smallCoveredAmount(ctx)),
        );
        if (isSuccess(response)) await expectNoOverdraft(ctx, before, response, amount);
        else if (response.status === 412)
          await expectInsufficientFundsCode(ctx, response, () => withdrawCoveredAmount(ctx, response));
        if (cents === most + 1 && isInsufficientFunds(response)) rejected = response;
      }
      if (rejected) await expectSpentFundsCounted(ctx, before, rejected);
    };
    return onceFundsShow(ctx, work);
  }),

  checkInPhase(FIRST_IN_MAIN, 'TREAS-01.no-delayed-payment', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (ctx) =>
    expectBooked(ctx, {
      problems: ['rejected withdrawal paid'],
      expected: 'no payment of the rejected withdrawal',
      payments: ({ rejected }) => (rejected ? [rejected] : []),
      isShown: hasWithdrawals,
    }),
  ),

  // Before the other checks that settle beyond the funds, so that it sees the funds before any attempt.
  checkInPhase(FIRST_IN_LATE, 'TREAS-01.settlement', SETTLEMENT_NEEDS, (ctx) =>
    lendUncoveredInvoice(ctx, () =>
      // The amount is one cent more than the funds only while no other check changes them.
      ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
        const invoice = await createUncoveredInvoice(ctx);
        await expectUncoveredSettlementRejected(ctx, invoice);
        return invoice;
      }),
    ),
  ),
];
