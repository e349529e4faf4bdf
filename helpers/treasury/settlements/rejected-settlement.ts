import type { InvoiceState } from '../../../specs/contract/lifecycle.ts';
import { sendAction } from '../../api/operations.ts';
import { type ApiResponse, isSuccess, skipIfInsufficientFunds } from '../../api/responses.ts';
import { confirmBreach, FOREIGN_SETTLEMENT } from '../../assert/confirm-breach.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { Check, CheckContext } from '../../context/check.ts';
import { centsOf, formatAmount } from '../../data/amounts.ts';
import { partyFor, performAction } from '../../invoices/acting-party.ts';
import {
  createInvoiceInState,
  type Invoice,
  ifReachable,
  needsToReach,
  recordInvoiceState,
  rejectedCheckId,
} from '../../invoices/invoices.ts';
import { afterEarlierPayments, secondEffectWaitMs, waitForFirstEffect } from '../balances/balance.ts';
import { balanceChanges, ownSettlementCents, readPartyBalances } from '../balances/party-balances.ts';

/** Distinct from the amounts of single settlements. */
const FIRST_SUM_INDEX = 3;

/** One amount for the paid invoice and one for each unpaid invoice. */
const SUM_INDEXES = [0, 1, 2];

const UNPAYABLE_STATES = ['SUBMITTED', 'DISPUTED'] as const;

/**
 * A settlement that is rejected because of the invoice state moves no money, while the balance shows an accepted one. Throws a
 * Breach otherwise.
 */
export async function expectNoPayment(ctx: CheckContext): Promise<void> {
  await confirmBreach(ctx, FOREIGN_SETTLEMENT, async ({ number }) => {
    const sums = SUM_INDEXES.map((which) =>
      ownSettlementCents(ctx, FIRST_SUM_INDEX + SUM_INDEXES.length * (number - 1) + which),
    );
    const { approved, rejected } = await createDueInvoices(ctx, sums);
    const { rejections, moved } = await afterEarlierPayments(ctx, () => payAfterRejections(ctx, rejected, approved));
    const [rejection] = rejections;
    if (!moved || !rejection) return;
    const because = `a balance changed by ${formatAmount(moved)}, the amount of invoices that are ${UNPAYABLE_STATES.join(' or ')}`;
    throw breach(ctx, rejection, 'a rejected settlement that moves no money', because, rejections.slice(1));
  });
}

export interface DueInvoice {
  invoice: Invoice;
  cents: number;
}

/** An approved invoice, new unless one is given, and one invoice in each state that cannot be settled. */
export async function createDueInvoices(
  ctx: CheckContext,
  [paid = 0, ...unpaid]: readonly number[],
  existing: Invoice | null = null,
): Promise<{ approved: DueInvoice; rejected: DueInvoice[] }> {
  const due = async (state: InvoiceState, cents: number): Promise<DueInvoice> => ({
    cents,
    invoice: await createInvoiceInState(ctx, state, { amount: formatAmount(cents) }),
  });
  const [approved, ...rejected] = await Promise.all([
    existing ? { cents: centsOf(existing.body.amount), invoice: existing } : due('APPROVED', paid),
    ...UNPAYABLE_STATES.map((state, at) => ifReachable(() => due(state, unpaid[at] ?? 0))),
  ]);
  return { approved, rejected: rejected.flat() };
}

/** Tries to settle the invoices. Throws NotApplicable if the server settles one. */
export async function tryRejectedSettlements(
  ctx: CheckContext,
  rejected: readonly DueInvoice[],
): Promise<ApiResponse[]> {
  const rejections: ApiResponse[] = [];
  for (const { invoice } of rejected) {
    const rejection = await sendAction(ctx, 'settle', invoice.id, { as: ctx.credentials(partyFor(ctx, 'settle')) });
    if (isSuccess(rejection))
      notApplicable(`the server settles a ${invoice.state} invoice`, {
        judgedBy: rejectedCheckId(invoice.state, 'settle'),
      });
    rejections.push(rejection);
  }
  return rejections;
}

/** The changes in cents that a payment of the rejected settlements would cause, alone or together with the due one. */
export function rejectedPaymentTraces(rejected: readonly DueInvoice[], due: DueInvoice): number[] {
  return subsetSums(rejected.map(({ cents }) => cents)).flatMap((cents) => [cents, cents + due.cents]);
}

/** The rejected settlements go first, so that their effect shows no later than that of the accepted one. */
async function payAfterRejections(
  ctx: CheckContext,
  rejected: readonly DueInvoice[],
  due: DueInvoice,
): Promise<{ rejections: ApiResponse[]; moved: number | undefined }> {
  const before = await readPartyBalances(ctx);
  const rejections = await tryRejectedSettlements(ctx, rejected);
  const paid = await performAction(ctx, 'settle', due.invoice.id);
  skipIfInsufficientFunds(paid);
  if (!isSuccess(paid))
    notApplicable(`the server rejects the settlement of an APPROVED invoice with ${paid.status}`, {
      judgedBy: 'LIFE-01.approved-settle',
    });
  recordInvoiceState(ctx, { id: due.invoice.id, state: 'SETTLED' });
  const traces = rejectedPaymentTraces(rejected, due);
  const traceIn = (seen: readonly number[]) => seen.find((move) => traces.includes(move));
  const request = async () => balanceChanges(before, await readPartyBalances(ctx));
  const started = performance.now();
  const { settleWithinMs: within } = ctx.target.limits;
  const isShown = (seen: readonly number[]) => seen.includes(due.cents) || traceIn(seen) !== undefined;
  const shown = await waitForFirstEffect(ctx, 'settlement', within, async (withinMs) =>
    isShown(await pollUntil(ctx, request, isShown, withinMs)) ? true : null,
  );
  if (!shown) notApplicable('the balance shows no settlement');
  const left = secondEffectWaitMs(performance.now() - started, within);
  return { rejections, moved: traceIn(await pollUntil(ctx, request, (seen) => traceIn(seen) !== undefined, left)) };
}

/** Every single value and the sums of all subsets. */
function subsetSums(all: readonly number[]): number[] {
  const sums: number[] = [];
  for (const cents of all) sums.push(cents, ...sums.map((sum) => sum + cents));
  return sums;
}

/** The needs of a check that observes settlements in the balances. */
export const SETTLEMENT_NEEDS: Check['needs'] = ['connection', 'buyer', ...needsToReach('SETTLED'), 'treasuryBalance'];
