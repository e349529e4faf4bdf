import { runState } from '../../engine/ledger/run-ledger.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from '../context/check.ts';
import { formatAmount } from './amounts.ts';

const PURPOSES = [
  'early',
  'repeated',
  'repeated, other',
  'one effect',
  'original',
  'other amount',
  'simultaneous',
  'between replays',
  'production untouched',
  'read-only',
  'read-only, replayed',
  'of another',
  'unauthorized',
  'unknown environment',
  'replayed at gates',
  'places of funds',
  'production untouched, named',
  'production untouched, replayed',
  'production untouched, late',
  'cause of a movement',
  'balances of both environments',
  'production untouched, large',
  'covered',
  'after a rejection, control',
  'after a rejection',
  'twice',
  'large',
  'given back',
  'balances of both parties',
  'production named',
  'sandbox named',
  'shared treasury',
  'still offered',
] as const;

const SMALLEST_CENTS = 11;
const SMALL_CENTS = 30;
const MIN_CENTS = 101;
const AMOUNT_COUNT = 161;
/** Coprime to the range, so that all purposes of one run get different amounts. */
const PURPOSE_STEP = 17;

/** What every amount of a run is raised by, in cents, for a server with a least amount. */
const raised = runState(() => ({ cents: 0 }));

export function raisedWithdrawalCents(run: RunContext): number {
  return raised(run).cents;
}

/** Raises the amounts of all later withdrawals of the run, by cents. */
export function raiseWithdrawals(run: RunContext, cents: number): void {
  raised(run).cents = cents;
}

/** Below common thresholds for payment checks: 0.30, unless the server accepts only larger amounts. */
export function smallWithdrawalAmount({ run }: CheckContext): string {
  return formatAmount(SMALL_CENTS + raisedWithdrawalCents(run));
}

/** An amount that every funded balance covers: 0.11, unless the server accepts only larger amounts. */
export function smallCoveredAmount({ run }: CheckContext): string {
  return formatAmount(SMALLEST_CENTS + raisedWithdrawalCents(run));
}

export interface WithdrawalAmount {
  cents: number;
  /** The amount as it is sent. */
  text: string;
}

export type WithdrawalPurpose = (typeof PURPOSES)[number];

/**
 * A small withdrawal amount, 1.01 to 4.21 above the least that the server accepts, unique for each purpose and each attempt (`tried`, up
 * to five). It never ends in 0, because a server may omit that digit.
 */
export function withdrawalAmountFor(ctx: CheckContext, use: WithdrawalPurpose, tried = 1): WithdrawalAmount {
  const start = Number.parseInt(ctx.run.plan.runId.slice(0, 8), 16);
  const place = PURPOSES.indexOf(use) + PURPOSES.length * (tried - 1);
  const cents = raisedWithdrawalCents(ctx.run) + MIN_CENTS + 2 * ((start + place * PURPOSE_STEP) % AMOUNT_COUNT);
  return { cents, text: formatAmount(cents) };
}
