import type { InvoiceState } from '../../../specs/lifecycle.ts';
import { act } from '../../api/operations.ts';
import type { ApiResponse } from '../../api/responses.ts';
import { isSuccess } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { Check } from '../../context/check.ts';
import type { Lab } from '../../context/check-context.ts';
import { asAmount, centsOf } from '../../data/amounts.ts';
import { partyFor, perform } from '../../invoices/acting-party.ts';
import type { Invoice } from '../../invoices/invoices.ts';
import { keepTrack, operationsTo, reach, whereReachable } from '../../invoices/invoices.ts';
import { afterEffectMs, SHOWS_WITHIN_MS } from '../balances/balance.ts';
import { moves, ownCents, partyFunds } from '../balances/party-balances.ts';

const TRIES = 2;

/** Apart from the sums of settlements that are paid once. */
const FIRST_SUM = 3;

/** One for what is paid, and one for each that is not. */
const SUMS_OF_A_TRY = [0, 1, 2];

const NOT_PAYABLE = ['SUBMITTED', 'DISPUTED'] as const;

/** A settlement that is refused for the invoice's state moves nothing, where the balance shows one that is accepted. */
export async function expectUnpaid(lab: Lab): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const sums = SUMS_OF_A_TRY.map((which) => ownCents(lab, FIRST_SUM + SUMS_OF_A_TRY.length * tries + which));
    const { approved, refused } = await duesOf(lab, sums);
    const { refusals, moved } = await lab.run.funds.quietFor(lab.asking.id, () =>
      refusedThenPaid(lab, refused, approved),
    );
    const [refusal] = refusals;
    if (!moved || !refusal) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries + 1 < TRIES) continue;
    const because = `a balance moved by ${asAmount(moved)}, of invoices that are ${NOT_PAYABLE.join(' or ')}`;
    throw breach(lab, refusal, 'a refusal that moves no money', because, refusals.slice(1));
  }
}

export interface Due {
  invoice: Invoice;
  cents: number;
}

/** An approved invoice, of the first sum where none is at hand, and of the others those that cannot be settled. */
export async function duesOf(
  lab: Lab,
  [paid = 0, ...unpaid]: readonly number[],
  atHand: Invoice | null = null,
): Promise<{ approved: Due; refused: Due[] }> {
  const due = async (state: InvoiceState, cents: number): Promise<Due> => ({
    cents,
    invoice: await reach(lab, state, { amount: asAmount(cents) }),
  });
  const [approved, ...refused] = await Promise.all([
    atHand ? { cents: centsOf(atHand.body.amount), invoice: atHand } : due('APPROVED', paid),
    ...NOT_PAYABLE.map((state, at) => whereReachable(() => due(state, unpaid[at] ?? 0))),
  ]);
  return { approved, refused: refused.flat() };
}

/** Throws NotApplicable where one of them is settled. */
export async function refusedSettlements(lab: Lab, refused: readonly Due[]): Promise<ApiResponse[]> {
  const refusals: ApiResponse[] = [];
  for (const { invoice } of refused) {
    const refusal = await act(lab, 'settle', invoice.id, { as: lab.who(partyFor(lab, 'settle')) });
    if (isSuccess(refusal)) notApplicable(`a ${invoice.state} invoice can be settled; LIFE-03 judges that`);
    refusals.push(refusal);
  }
  return refusals;
}

/** By what numbers would have moved if what was refused had been paid, alone or together with what is due. */
export function tracesOf(refused: readonly Due[], due: Due): number[] {
  return sumsOf(refused.map(({ cents }) => cents)).flatMap((cents) => [cents, cents + due.cents]);
}

/** The refused ones first: once the other one shows, their trace would show, too. */
async function refusedThenPaid(
  lab: Lab,
  refused: readonly Due[],
  due: Due,
): Promise<{ refusals: ApiResponse[]; moved: number | undefined }> {
  const before = await partyFunds(lab);
  const refusals = await refusedSettlements(lab, refused);
  if (!isSuccess(await perform(lab, 'settle', due.invoice.id)))
    notApplicable('an APPROVED invoice is not settled; LIFE-01 judges that');
  keepTrack(lab, { id: due.invoice.id, state: 'SETTLED' });
  const traces = tracesOf(refused, due);
  const traceIn = (seen: readonly number[]) => seen.find((move) => traces.includes(move));
  const ask = async () => moves(before, await partyFunds(lab));
  const started = performance.now();
  const within = Math.min(lab.target.limits.settleWithinMs, SHOWS_WITHIN_MS);
  const isShown = (seen: readonly number[]) => seen.includes(due.cents) || traceIn(seen) !== undefined;
  const shown = await pollUntil(lab, ask, isShown, within);
  if (!isShown(shown)) notApplicable('the balance does not show settlements');
  const left = afterEffectMs(performance.now() - started, within);
  return { refusals, moved: traceIn(await pollUntil(lab, ask, (seen) => traceIn(seen) !== undefined, left)) };
}

/** Each one, and all that come of several together. */
function sumsOf(all: readonly number[]): number[] {
  const sums: number[] = [];
  for (const cents of all) sums.push(cents, ...sums.map((sum) => sum + cents));
  return sums;
}

/** What it takes to see what settlements do to the balances. */
export const SETTLEMENT_NEEDS: Check['needs'] = ['connection', 'buyer', ...operationsTo('SETTLED'), 'treasuryBalance'];
