import { sendActionsSimultaneously } from '../../api/operations.ts';
import type { ApiResponse } from '../../api/responses.ts';
import { isSuccess } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { formatAmount } from '../../data/amounts.ts';
import { partyFor } from '../../invoices/acting-party.ts';
import { waitForInvoice } from '../../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, recordInvoiceState } from '../../invoices/invoices.ts';
import { MAX_BALANCE_LAG_MS, secondEffectWaitMs } from '../balances/balance.ts';
import {
  balanceChanges,
  ownSettlementCents,
  type PartyBalances,
  readPartyBalances,
} from '../balances/party-balances.ts';

/** Settlements that arrive at the same moment. */
export const SETTLEMENT_VOLLEY_SIZE = 20;
const MAX_ATTEMPTS = 2;
const MAX_MULTIPLES_PER_REQUEST = 2;

/** How many times the sum the number that moved most has moved by. */
function largestMultiple(before: PartyBalances, after: PartyBalances, cents: number): number {
  const multiples = balanceChanges(before, after).map((move) => move / cents);
  return Math.max(
    0,
    ...multiples.filter((each) => Number.isInteger(each) && each <= MAX_MULTIPLES_PER_REQUEST * SETTLEMENT_VOLLEY_SIZE),
  );
}

/** By how many times its amount a single settlement moves a number: a turnover may count it for either side. */
async function singleSettlementMultiple(lab: CheckContext): Promise<number> {
  const { moveCount: moved } = await settleConcurrently(lab, ownSettlementCents(lab, 0), 1);
  return moved;
}

/** Settlements of one invoice at the same moment move its amount once, however many of them are accepted. */
export async function expectPaidOnce(lab: CheckContext): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const cents = ownSettlementCents(lab, tries);
    const { first, moveCount: moved } = await settleConcurrently(lab, cents, SETTLEMENT_VOLLEY_SIZE);
    if (moved === 0) return notApplicable('the balance does not show settlements');
    if (moved === 1 || moved === (await singleSettlementMultiple(lab))) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries < MAX_ATTEMPTS) continue;
    const because = `${SETTLEMENT_VOLLEY_SIZE} settlements at the same moment moved ${formatAmount(cents)} ${moved} times`;
    throw breach(lab, first, `the amount of the invoice, ${formatAmount(cents)}, moved once`, because);
  }
}

interface SettlementVolley {
  first: ApiResponse;
  /** How many times the amount was moved. */
  moveCount: number;
}

async function settleConcurrently(lab: CheckContext, cents: number, volley: number): Promise<SettlementVolley> {
  const invoice = await createInvoiceInState(lab, 'APPROVED', { amount: formatAmount(cents) });
  return await lab.run.balanceLock.exclusive(lab.execution.id, () => settleByVolley(lab, invoice, cents, volley));
}

/** Settles an approved invoice by a volley; whoever asks has the funds to itself. Throws NotApplicable where none is accepted. */
export async function settleByVolley(
  lab: CheckContext,
  invoice: Invoice,
  cents: number,
  volley: number,
): Promise<SettlementVolley> {
  const before = await readPartyBalances(lab);
  const as = lab.credentials(partyFor(lab, 'settle'));
  const settle = { action: 'settle', id: invoice.id, as } as const;
  const answers = await sendActionsSimultaneously(lab, Array(volley).fill(settle));
  const first = answers.find(isSuccess);
  if (!first) return notApplicable('no settlement was accepted; LIFE-01 judges that');
  await waitForInvoice(lab, invoice.id, (found) => found?.status === 'SETTLED');
  recordInvoiceState(lab, { id: invoice.id, state: 'SETTLED' });
  const ask = async () => largestMultiple(before, await readPartyBalances(lab), cents);
  const started = performance.now();
  const within = Math.min(lab.target.limits.settleWithinMs, MAX_BALANCE_LAG_MS);
  if ((await pollUntil(lab, ask, (seen) => seen > 0, within)) === 0) return { first, moveCount: 0 };
  // What is moved a second time shows about as late as the first.
  const left = secondEffectWaitMs(performance.now() - started, within);
  return { first, moveCount: await pollUntil(lab, ask, (seen) => seen > 1, left) };
}
