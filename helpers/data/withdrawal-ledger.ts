import { runState } from '../../engine/ledger/run-ledger.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from '../context/check.ts';
import { centsOf, formatAmount } from './amounts.ts';

/** The withdrawals of a run, in cents. */
interface WithdrawalLedger {
  withdrawnCents: number;
  /** The accepted withdrawals beyond the funds, which the server should have rejected. */
  excessCents: number;
  /** The total of withdrawals in progress. */
  pendingCents: number;
  /** The ids of accepted requests; a replay of one withdraws nothing more. */
  requestIds: Set<string>;
}

const ledgerOf = runState(
  (): WithdrawalLedger => ({ withdrawnCents: 0, excessCents: 0, pendingCents: 0, requestIds: new Set() }),
);

export interface Withdrawal {
  amount: string;
  requestId: string | undefined;
  /**
   * True for an amount above the balance that was shown: the server must reject it, so it does not count towards the limit.
   */
  exceedsFunds: boolean;
}

/**
 * Sends a withdrawal within the rest of `limits.withdrawAtMost`; `isPaid` says whether the response accepts it, and a
 * rejected one does not count. Throws Blocked before anything is sent if the rest is too small.
 */
export async function withdrawWithinLimit<T>(
  ctx: CheckContext,
  { amount, requestId, exceedsFunds }: Withdrawal,
  send: () => Promise<T>,
  isPaid: (sent: T) => boolean,
): Promise<T> {
  const ledger = ledgerOf(ctx.run);
  if (isAcceptedWithdrawal(ctx.run, requestId)) return await send();
  const cents = centsOf(amount);
  if (exceedsFunds) {
    const sent = await send();
    if (isPaid(sent)) ledger.excessCents += cents;
    return sent;
  }
  blockIfLimitExceeded(ctx, cents);
  ledger.pendingCents += cents;
  try {
    const sent = await send();
    if (isPaid(sent) && !isAcceptedWithdrawal(ctx.run, requestId)) {
      ledger.withdrawnCents += cents;
      if (requestId !== undefined) ledger.requestIds.add(requestId);
    }
    return sent;
  } finally {
    ledger.pendingCents -= cents;
  }
}

function blockIfLimitExceeded(ctx: CheckContext, cents: number): void {
  const { withdrawnCents: withdrawn, pendingCents } = ledgerOf(ctx.run);
  const { withdrawAtMost } = ctx.target.limits;
  if (cents <= remainingWithdrawalCents(ctx)) return;
  throw new Blocked(
    'limits.withdrawAtMost of the target file',
    `this check withdraws ${formatAmount(cents)}, and the run has already withdrawn ${formatAmount(withdrawn + pendingCents)} of ${withdrawAtMost}: raise limits.withdrawAtMost to "${formatAmount(withdrawn + pendingCents + cents)}" or more`,
  );
}

/** What the run may still withdraw, in cents. */
export function remainingWithdrawalCents(ctx: CheckContext): number {
  const { withdrawnCents: withdrawn, pendingCents } = ledgerOf(ctx.run);
  return centsOf(ctx.target.limits.withdrawAtMost) - withdrawn - pendingCents;
}

/** Whether a withdrawal with this requestId was accepted before. */
export function isAcceptedWithdrawal(run: RunContext, requestId: string | undefined): boolean {
  return requestId !== undefined && ledgerOf(run).requestIds.has(requestId);
}

/** The maximum, in cents, for one of the few large withdrawals. */
export function maxLargeWithdrawalCents(ctx: CheckContext): number {
  return Math.floor((2 * centsOf(ctx.target.limits.withdrawAtMost)) / 5);
}

/** The total, in cents, that the run has withdrawn so far, beyond the funds or not. */
export function withdrawnCents(run: RunContext): number {
  const { withdrawnCents: withdrawn, excessCents } = ledgerOf(run);
  return withdrawn + excessCents;
}
