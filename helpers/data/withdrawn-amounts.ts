import { Blocked } from '../../engine/model/outcomes.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from '../context/check-context.ts';
import { centsOf, formatAmount } from './amounts.ts';

/** What a run has withdrawn, in cents. */
interface WithdrawalLedger {
  withdrawnCents: number;
  /** Of withdrawals that are under way. */
  pendingCents: number;
  /** Requests that were accepted: what repeats one withdraws nothing more. */
  requestIds: Set<string>;
}

const ledgers = new WeakMap<RunContext, WithdrawalLedger>();

function ledgerOf(run: RunContext): WithdrawalLedger {
  const ledger = ledgers.get(run) ?? { withdrawnCents: 0, pendingCents: 0, requestIds: new Set() };
  ledgers.set(run, ledger);
  return ledger;
}

export interface Withdrawal {
  amount: string;
  requestId: string | undefined;
  /** For a sum that no treasury covers: it is to be refused, and takes nothing from what the run may withdraw. */
  exceedsFunds: boolean;
}

/**
 * Sends a withdrawal within what `limits.withdrawAtMost` leaves. `isPaid` tells whether its answer accepts it; what is refused counts for
 * nothing. Throws Blocked, before anything is sent, where the limit leaves too little.
 */
export async function withdrawWithinLimit<T>(
  ctx: CheckContext,
  { amount, requestId, exceedsFunds }: Withdrawal,
  send: () => Promise<T>,
  isPaid: (sent: T) => boolean,
): Promise<T> {
  const ledger = ledgerOf(ctx.run);
  if (exceedsFunds || isAcceptedWithdrawal(ctx.run, requestId)) return await send();
  const cents = centsOf(amount);
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
  if (withdrawn + pendingCents + cents <= centsOf(withdrawAtMost)) return;
  throw new Blocked(
    'limits.withdrawAtMost of the target file',
    `it needs to withdraw ${formatAmount(cents)}, and ${formatAmount(withdrawn + pendingCents)} of ${withdrawAtMost} is withdrawn already: raise limits.withdrawAtMost to "${formatAmount(withdrawn + pendingCents + cents)}" or more`,
  );
}

/** Whether a withdrawal of this createRequestId was accepted before. */
export function isAcceptedWithdrawal(run: RunContext, requestId: string | undefined): boolean {
  return requestId !== undefined && ledgerOf(run).requestIds.has(requestId);
}

/** In cents, the most that one of a few withdrawals may be that are meant to be large. */
export function maxLargeWithdrawalCents(ctx: CheckContext): number {
  return Math.floor((2 * centsOf(ctx.target.limits.withdrawAtMost)) / 5);
}

/** In cents, what the run has withdrawn so far. */
export function withdrawnCents(run: RunContext): number {
  return ledgerOf(run).withdrawnCents;
}
