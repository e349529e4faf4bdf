import { actTogether } from '../../api/operations.ts';
import type { ApiResponse } from '../../api/responses.ts';
import { isSuccess } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { Lab } from '../../context/check-context.ts';
import { asAmount } from '../../data/amounts.ts';
import { partyFor } from '../../invoices/acting-party.ts';
import { lookUntil } from '../../invoices/find-invoice.ts';
import { type Invoice, keepTrack, reach } from '../../invoices/invoices.ts';
import { afterEffectMs, SHOWS_WITHIN_MS } from '../balances/balance.ts';
import { type Funds, moves, ownCents, partyFunds } from '../balances/party-balances.ts';

/** Settlements that arrive at the same moment. */
export const VOLLEY = 20;
const TRIES = 2;
const MOST_MULTIPLES = 2;

/** How many times the sum the number that moved most has moved by. */
function times(before: Funds, after: Funds, cents: number): number {
  const multiples = moves(before, after).map((move) => move / cents);
  return Math.max(0, ...multiples.filter((each) => Number.isInteger(each) && each <= MOST_MULTIPLES * VOLLEY));
}

/** By how many times its amount a single settlement moves a number: a turnover may count it for either side. */
async function timesOfOne(lab: Lab): Promise<number> {
  const { moved } = await settledTogether(lab, ownCents(lab, 0), 1);
  return moved;
}

/** Settlements of one invoice at the same moment move its amount once, however many of them are accepted. */
export async function expectPaidOnce(lab: Lab): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const cents = ownCents(lab, tries);
    const { first, moved } = await settledTogether(lab, cents, VOLLEY);
    if (moved === 0) return notApplicable('the balance does not show settlements');
    if (moved === 1 || moved === (await timesOfOne(lab))) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries < TRIES) continue;
    const because = `${VOLLEY} settlements at the same moment moved ${asAmount(cents)} ${moved} times`;
    throw breach(lab, first, `the amount of the invoice, ${asAmount(cents)}, moved once`, because);
  }
}

interface Settled {
  first: ApiResponse;
  /** How many times the amount was moved. */
  moved: number;
}

async function settledTogether(lab: Lab, cents: number, volley: number): Promise<Settled> {
  const invoice = await reach(lab, 'APPROVED', { amount: asAmount(cents) });
  return await lab.run.funds.quietFor(lab.asking.id, () => settlements(lab, invoice, cents, volley));
}

/** Settles an approved invoice by a volley; whoever asks has the funds to itself. Throws NotApplicable where none is accepted. */
export async function settlements(lab: Lab, invoice: Invoice, cents: number, volley: number): Promise<Settled> {
  const before = await partyFunds(lab);
  const as = lab.who(partyFor(lab, 'settle'));
  const settle = { action: 'settle', id: invoice.id, as } as const;
  const answers = await actTogether(lab, Array(volley).fill(settle));
  const first = answers.find(isSuccess);
  if (!first) return notApplicable('no settlement was accepted; LIFE-01 judges that');
  await lookUntil(lab, invoice.id, (found) => found?.status === 'SETTLED');
  keepTrack(lab, { id: invoice.id, state: 'SETTLED' });
  const ask = async () => times(before, await partyFunds(lab), cents);
  const started = performance.now();
  const within = Math.min(lab.target.limits.settleWithinMs, SHOWS_WITHIN_MS);
  if ((await pollUntil(lab, ask, (seen) => seen > 0, within)) === 0) return { first, moved: 0 };
  // What is moved a second time shows about as late as the first.
  const left = afterEffectMs(performance.now() - started, within);
  return { first, moved: await pollUntil(lab, ask, (seen) => seen > 1, left) };
}
