import type { InvoiceState } from '../../../specs/lifecycle.ts';
import { sendAction } from '../../api/operations.ts';
import type { ApiResponse } from '../../api/responses.ts';
import { isSuccess } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { Check } from '../../context/check.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { centsOf, formatAmount } from '../../data/amounts.ts';
import { partyFor, performAction } from '../../invoices/acting-party.ts';
import type { Invoice } from '../../invoices/invoices.ts';
import { actionsLeadingTo, createInvoiceInState, ifReachable, recordInvoiceState } from '../../invoices/invoices.ts';
import { MAX_BALANCE_LAG_MS, secondEffectWaitMs } from '../balances/balance.ts';
import { balanceChanges, ownSettlementCents, readPartyBalances } from '../balances/party-balances.ts';

const MAX_ATTEMPTS = 2;

/** Apart from the sums of settlements that are paid once. */
const FIRST_SUM_INDEX = 3;

/** One for what is paid, and one for each that is not. */
const SUM_INDEXES = [0, 1, 2];

const UNPAYABLE_STATES = ['SUBMITTED', 'DISPUTED'] as const;

/** A settlement that is refused for the invoice's state moves nothing, where the balance shows one that is accepted. */
export async function expectNoPayment(ctx: CheckContext): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const sums = SUM_INDEXES.map((which) =>
      ownSettlementCents(ctx, FIRST_SUM_INDEX + SUM_INDEXES.length * tries + which),
    );
    const { approved, refused } = await createDueInvoices(ctx, sums);
    const { refusals, moved } = await ctx.run.balanceLock.exclusive(ctx.execution.id, () =>
      payAfterRejections(ctx, refused, approved),
    );
    const [refusal] = refusals;
    if (!moved || !refusal) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries + 1 < MAX_ATTEMPTS) continue;
    const because = `a balance moved by ${formatAmount(moved)}, of invoices that are ${UNPAYABLE_STATES.join(' or ')}`;
    throw breach(ctx, refusal, 'a refusal that moves no money', because, refusals.slice(1));
  }
}

export interface DueInvoice {
  invoice: Invoice;
  cents: number;
}

/** An approved invoice, of the first sum where none is at hand, and of the others those that cannot be settled. */
export async function createDueInvoices(
  ctx: CheckContext,
  [paid = 0, ...unpaid]: readonly number[],
  atHand: Invoice | null = null,
): Promise<{ approved: DueInvoice; refused: DueInvoice[] }> {
  const due = async (state: InvoiceState, cents: number): Promise<DueInvoice> => ({
    cents,
    invoice: await createInvoiceInState(ctx, state, { amount: formatAmount(cents) }),
  });
  const [approved, ...refused] = await Promise.all([
    atHand ? { cents: centsOf(atHand.body.amount), invoice: atHand } : due('APPROVED', paid),
    ...UNPAYABLE_STATES.map((state, at) => ifReachable(() => due(state, unpaid[at] ?? 0))),
  ]);
  return { approved, refused: refused.flat() };
}

/** Throws NotApplicable where one of them is settled. */
export async function tryRejectedSettlements(
  ctx: CheckContext,
  refused: readonly DueInvoice[],
): Promise<ApiResponse[]> {
  const refusals: ApiResponse[] = [];
  for (const { invoice } of refused) {
    const refusal = await sendAction(ctx, 'settle', invoice.id, { as: ctx.credentials(partyFor(ctx, 'settle')) });
    if (isSuccess(refusal)) notApplicable(`a ${invoice.state} invoice can be settled; LIFE-03 judges that`);
    refusals.push(refusal);
  }
  return refusals;
}

/** By what numbers would have moved if what was refused had been paid, alone or together with what is due. */
export function rejectedPaymentTraces(refused: readonly DueInvoice[], due: DueInvoice): number[] {
  return subsetSums(refused.map(({ cents }) => cents)).flatMap((cents) => [cents, cents + due.cents]);
}

/** The refused ones first: once the other one shows, their trace would show, too. */
async function payAfterRejections(
  ctx: CheckContext,
  refused: readonly DueInvoice[],
  due: DueInvoice,
): Promise<{ refusals: ApiResponse[]; moved: number | undefined }> {
  const before = await readPartyBalances(ctx);
  const refusals = await tryRejectedSettlements(ctx, refused);
  if (!isSuccess(await performAction(ctx, 'settle', due.invoice.id)))
    notApplicable('an APPROVED invoice is not settled; LIFE-01 judges that');
  recordInvoiceState(ctx, { id: due.invoice.id, state: 'SETTLED' });
  const traces = rejectedPaymentTraces(refused, due);
  const traceIn = (seen: readonly number[]) => seen.find((move) => traces.includes(move));
  const ask = async () => balanceChanges(before, await readPartyBalances(ctx));
  const started = performance.now();
  const within = Math.min(ctx.target.limits.settleWithinMs, MAX_BALANCE_LAG_MS);
  const isShown = (seen: readonly number[]) => seen.includes(due.cents) || traceIn(seen) !== undefined;
  const shown = await pollUntil(ctx, ask, isShown, within);
  if (!isShown(shown)) notApplicable('the balance does not show settlements');
  const left = secondEffectWaitMs(performance.now() - started, within);
  return { refusals, moved: traceIn(await pollUntil(ctx, ask, (seen) => traceIn(seen) !== undefined, left)) };
}

/** Each one, and all that come of several together. */
function subsetSums(all: readonly number[]): number[] {
  const sums: number[] = [];
  for (const cents of all) sums.push(cents, ...sums.map((sum) => sum + cents));
  return sums;
}

/** What it takes to see what settlements do to the balances. */
export const SETTLEMENT_NEEDS: Check['needs'] = [
  'connection',
  'buyer',
  ...actionsLeadingTo('SETTLED'),
  'treasuryBalance',
];
