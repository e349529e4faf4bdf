import { setTimeout as pause } from 'node:timers/promises';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { postInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, describeResponse, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { type Confirmation, confirmBreach } from '../../helpers/assert/confirm-breach.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, checkInPhase, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { formatAmount } from '../../helpers/data/amounts.ts';
import { acceptedRangesOf, type InvoiceBody, validBody } from '../../helpers/data/invoice-body.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import {
  expectProductionUnaffected,
  prepareExcessiveWithdrawal,
} from '../../helpers/environments/production-side-effects.ts';
import { otherCurrency } from '../../helpers/fixtures/created-invoice.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoiceInState,
  type Invoice,
  ifReachable,
  isInvoiceState,
  needsToReach,
  recordInvoiceState,
  resolveCreatedInvoice,
} from '../../helpers/invoices/invoices.ts';
import { affordableLargeCents, centsByPlace, MAX_BALANCE_LAG_MS } from '../../helpers/treasury/balances/balance.ts';
import { changedPlaces, readProductionBalance } from '../../helpers/treasury/balances/production-balance.ts';
import { findActionPath, type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';

/** How long the check waits for effects that follow their response, in milliseconds. */
const LATE_EFFECT_MS = 1000;

/** How long an effect in production may take, in milliseconds. The check looks for it after the first payments of the run. */
const MAX_LATER_EFFECT_MS = 5000;
/** How long after its first look the check looks once more at least, because a payment of its own may be treated in another way. */
const LAST_LOOK_MS = 1500;

/** One movement of an amount may be a payment of production. */
const LATER_MOVEMENT: Confirmation = { rounds: 2, because: 'production has payments of its own' };

/** A request that moved an amount in the sandbox. */
interface Payment {
  cents: number;
  cause: ApiResponse;
}

/** Expects no production balance to change by one of these amounts, or by the sum of several, until `withinMs` milliseconds later. */
async function expectProductionFundsUnchanged(
  ctx: CheckContext,
  before: ApiResponse,
  payments: readonly Payment[],
  withinMs = 0,
): Promise<void> {
  const isMoved = (balance: ApiResponse) => findMovement(before, balance, payments) !== null;
  const after = await pollUntil(ctx, () => readProductionBalance(ctx), isMoved, withinMs);
  const movement = findMovement(before, after, payments);
  if (!movement) return;
  const requests = movement.causes.map(({ mask, requestLine }) => mask(requestLine)).join(' and ');
  const because = `${movement.place} of the production balance has changed by ${movement.cents / 100}, the amount of ${requests} in the sandbox`;
  throw breach(ctx, after, 'an unchanged production balance', because, [before, ...movement.causes]);
}

/** A number that differs by the sum of some of the payments, and the requests of these; null if there is none. */
function findMovement(
  before: ApiResponse,
  after: ApiResponse,
  payments: readonly Payment[],
): { place: string; cents: number; causes: ApiResponse[] } | null {
  const then = centsByPlace(before);
  for (const some of subsets(payments)) {
    const cents = some.reduce((sum, payment) => sum + payment.cents, 0);
    const moved = [...centsByPlace(after)].find(([place, now]) => Math.abs(now - (then.get(place) ?? now)) === cents);
    if (moved) return { place: moved[0], cents, causes: some.map(({ cause }) => cause) };
  }
  return null;
}

/** The non-empty subsets, the small ones first. */
function subsets<T>(all: readonly T[]): T[][] {
  const found: T[][] = [[]];
  for (const each of all) found.push(...found.map((few) => [...few, each]));
  return found.filter(({ length }) => length > 0).sort((one, other) => one.length - other.length);
}

const OWN_ENVIRONMENT_EXTRA = { headers: sandboxHeader };

/**
 * Looks at production again some seconds after `before`. If it has changed, pays in the sandbox once more and throws a Breach if
 * production then changes by the same amount, each time.
 */
async function expectNoLaterMovement(ctx: CheckContext, before: ApiResponse): Promise<void> {
  await pause(Math.max(LAST_LOOK_MS, ctx.run.paymentClock.remainingSinceFirstMs(MAX_LATER_EFFECT_MS)));
  if (changedPlaces(before, await readProductionBalance(ctx)).length === 0) return;
  let round = 0;
  await confirmBreach(ctx, LATER_MOVEMENT, async () => {
    round += 1;
    const cents = distinctAmountsCents(ctx).later + round;
    const payable = await createPayable(ctx, cents);
    // Exclusive, because other payments could have later effects as well.
    await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
      const idle = await readProductionBalance(ctx);
      const payments = [
        ...(await makeSettlement(ctx, payable, cents)),
        ...(await makeSmallWithdrawal(ctx)),
        ...(await makeLargeWithdrawal(ctx)),
      ];
      await expectProductionFundsUnchanged(ctx, idle, payments, MAX_LATER_EFFECT_MS);
    });
  });
}

/** Creates an invoice and approves it after a dispute, with a requestId and X-Environment. Null when the server rejects a step. */
async function createApprovedAfterDispute(ctx: CheckContext, amount: string): Promise<Invoice | null> {
  const body = { ...validBody(ctx), amount, requestId: ctx.createRequestId() };
  const created = await postInvoice(ctx, body, OWN_ENVIRONMENT_EXTRA);
  if (!isSuccess(created)) return null;
  const invoice = await resolveCreatedInvoice(ctx, body, created);
  const disputing = findActionPath(invoice.state, 'DISPUTED');
  if (!disputing || !(await performInOrder(ctx, invoice.id, [...disputing, 'resolve']))) return null;
  // The contract does not specify the state after a resolution.
  const { record } = await waitForInvoice(ctx, invoice.id, hasLeftState('DISPUTED'), MAX_BALANCE_LAG_MS);
  const resolved = record?.status;
  const approving = isInvoiceState(resolved) ? findActionPath(resolved, 'APPROVED') : null;
  if (!approving || !(await performInOrder(ctx, invoice.id, approving))) return null;
  return { ...invoice, state: 'APPROVED' };
}

/** Performs actions and waits for the state to which each leads. False when the server rejects one. */
async function performInOrder(ctx: CheckContext, id: string, actions: readonly InvoiceAction[]): Promise<boolean> {
  for (const action of actions) {
    if (!ctx.target.operations[action]) return false;
    if (!isSuccess(await performAction(ctx, action, id, OWN_ENVIRONMENT_EXTRA))) return false;
    const to = lifecycle.leadsTo[action];
    if (to !== undefined) await waitForInvoice(ctx, id, (found) => found?.status === to, MAX_BALANCE_LAG_MS);
  }
  return true;
}

/** An approved invoice, after a dispute if the server accepts all steps. Null if none can be settled. */
async function createPayable(ctx: CheckContext, cents: number): Promise<Invoice | null> {
  if (!ctx.target.operations.settle) return null;
  const amount = formatAmount(cents);
  const [ordinary = null] = await ifReachable(
    async () =>
      (await createApprovedAfterDispute(ctx, amount)) ?? (await createInvoiceInState(ctx, 'APPROVED', { amount })),
  );
  return ordinary;
}

/** Settles the invoice, with X-Environment. Empty when the server rejects the settlement. */
async function makeSettlement(ctx: CheckContext, invoice: Invoice | null, cents: number): Promise<Payment[]> {
  if (!invoice) return [];
  const cause = await performAction(ctx, 'settle', invoice.id, OWN_ENVIRONMENT_EXTRA);
  if (isSuccess(cause)) recordInvoiceState(ctx, { id: invoice.id, state: 'SETTLED' });
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

/** Amounts in cents near the end of the accepted range, so that they differ from most other payments and from production's traffic. */
function distinctAmountsCents(ctx: CheckContext) {
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const base = leastCents + Math.floor(0.9 * sums);
  return {
    plain: base + 31,
    around: base + 37,
    voided: base + 41,
    late: base + 43,
    foreign: base + 47,
    later: base + 53,
  };
}

/** A settlement after a dispute, a cancellation, and a settlement in another currency, as far as the server accepts them. */
async function makeOtherPayments(ctx: CheckContext, currency: string | null): Promise<Payment[]> {
  const { around, voided, foreign } = distinctAmountsCents(ctx);
  const [roundabout, cancelled, abroad] = await Promise.all([
    settleLargeAfterDispute(ctx, around),
    ifReachable(() => createInvoiceInState(ctx, 'CANCELLED', { amount: formatAmount(voided) })),
    currency === null ? [] : settleAbroad(ctx, { amount: formatAmount(foreign), currency }, foreign),
  ]);
  return [...roundabout, ...cancelled.map((invoice) => ({ cents: voided, cause: invoice.created })), ...abroad];
}

/** Added to an amount, whose cents keep it different from other payments. A server may pay large amounts in another way. */
const LARGE_BASE_CENTS = 1_200_00;

/** Settles a large invoice after a dispute, or one of the given amount if the server rejects a step for the large one. */
async function settleLargeAfterDispute(ctx: CheckContext, cents: number): Promise<Payment[]> {
  for (const sum of [LARGE_BASE_CENTS + cents, cents]) {
    const settled = await makeSettlement(ctx, await createApprovedAfterDispute(ctx, formatAmount(sum)), sum);
    if (settled.length > 0) return settled;
  }
  return [];
}

/**
 * A settlement in another currency, if the server accepts it. Exclusive, because other settlements in that currency would hide its
 * effect. Throws a Breach if it changes the production balance.
 */
async function settleAbroad(ctx: CheckContext, changes: Partial<InvoiceBody>, cents: number): Promise<Payment[]> {
  const [approved = null] = await ifReachable(() => createInvoiceInState(ctx, 'APPROVED', changes));
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
    const before = await readProductionBalance(ctx);
    const payments = await makeSettlement(ctx, approved, cents);
    await expectProductionFundsUnchanged(ctx, before, payments);
    return payments;
  });
}

/** Withdrawals with X-Environment, and with a requestId that is sent twice. */
async function makeOtherWithdrawals(ctx: CheckContext): Promise<Payment[]> {
  const named = withdrawalAmountFor(ctx, 'production untouched, named');
  const replayed = withdrawalAmountFor(ctx, 'production untouched, replayed');
  const withHeader = await sendTreasuryRequest(ctx, 'treasuryWithdraw', OWN_ENVIRONMENT_EXTRA, named.text);
  const extra = { requestId: ctx.createRequestId() };
  await sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, replayed.text);
  const again = await sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, replayed.text);
  return [
    { cents: named.cents, cause: withHeader },
    { cents: replayed.cents, cause: again },
  ];
}

async function makeLargeWithdrawal(ctx: CheckContext): Promise<Payment[]> {
  if (!ctx.target.operations.treasuryWithdraw) return [];
  const large = affordableLargeCents(ctx, await sendTreasuryRequest(ctx, 'treasuryBalance'));
  if (large === null) return [];
  const cents = large + withdrawalAmountFor(ctx, 'production untouched, large').cents;
  const cause = await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, formatAmount(cents));
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

async function makeSmallWithdrawal(ctx: CheckContext): Promise<Payment[]> {
  if (!ctx.target.operations.treasuryWithdraw) return [];
  const { cents, text } = withdrawalAmountFor(ctx, 'production untouched, late');
  const cause = await sendTreasuryRequest(ctx, 'treasuryWithdraw', OWN_ENVIRONMENT_EXTRA, text);
  return isSuccess(cause) ? [{ cents, cause }] : [];
}

export const realMoneyChecks: readonly Check[] = [
  checkInPhase(
    FIRST_IN_MAIN,
    'ORG-03.settlement',
    ['connection', 'production', 'treasuryBalance', ...needsToReach('SETTLED')],
    async (ctx) => {
      const { plain } = distinctAmountsCents(ctx);
      const currency = await otherCurrency(ctx);
      const before = await readProductionBalance(ctx);
      const { created } = await createInvoiceInState(ctx, 'SETTLED', { amount: formatAmount(plain) });
      const others = await makeOtherPayments(ctx, currency);
      await expectProductionFundsUnchanged(ctx, before, [{ cents: plain, cause: created }, ...others]);
      await expectProductionUnaffected(ctx, before);
    },
  ),

  checkInPhase(
    FIRST_IN_MAIN,
    'ORG-03.withdrawal',
    ['seller', 'production', 'treasuryBalance', 'treasuryWithdraw'],
    (ctx) =>
      // Exclusive, because other withdrawals would hide the effect of these.
      ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
        const before = await readProductionBalance(ctx);
        const { cents, text } = withdrawalAmountFor(ctx, 'production untouched');
        const cause = await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, text);
        if (!isSuccess(cause)) notApplicable(`the server rejects a withdrawal: ${describeResponse(cause)}`);
        const others = await makeOtherWithdrawals(ctx);
        await expectProductionFundsUnchanged(ctx, before, [{ cents, cause }, ...others]);
      }),
  ),

  checkInPhase(FIRST_IN_MAIN, 'ORG-03.delayed', ['connection', 'production', 'treasuryBalance'], async (ctx) => {
    const { late } = distinctAmountsCents(ctx);
    const first = await readProductionBalance(ctx);
    const payable = await createPayable(ctx, late);
    const before = await readProductionBalance(ctx);
    const payments = [
      ...(await makeSmallWithdrawal(ctx)),
      ...(await makeLargeWithdrawal(ctx)),
      ...(await makeSettlement(ctx, payable, late)),
    ];
    const rejected = ctx.target.operations.treasuryWithdraw ? await prepareExcessiveWithdrawal(ctx) : null;
    const rejection = await rejected?.();
    if (payments.length === 0 && !rejection) notApplicable('the server accepts neither a withdrawal nor a settlement');
    ctx.execution.allowLatePhase();
    await pause(LATE_EFFECT_MS);
    // Late effects of other payments may hide these. Then the last look finds them.
    await expectProductionFundsUnchanged(ctx, before, payments);
    await expectProductionUnaffected(ctx, before);
    await expectNoLaterMovement(ctx, first);
  }),
];
