import { accepted } from './accepted.ts';
import type { Answer } from './answers.ts';
import { breach } from './expect.ts';
import { afterEffectMs, amountsOf, SHOWS_WITHIN_MS } from './funds.ts';
import { type Invoice, keepTrack, reach } from './invoices.ts';
import type { Lab } from './lab.ts';
import { lookUntil } from './look.ts';
import { notApplicable } from './not-judged.ts';
import { actTogether, treasury } from './operations.ts';
import { partyFor } from './parties.ts';
import { pollUntil } from './poll.ts';

const VOLLEY = 20;
const LEAST_CENTS = 6000;
const CENTS_SPAN = 3000;
const TRIES = 2;

/** A sum that hardly any other settlement has, of this run or of another one in the same sandbox. */
function ownCents(lab: Lab, tries: number): number {
  return LEAST_CENTS + ((Number.parseInt(lab.run.plan.runId.slice(0, 8), 16) + tries * 997) % CENTS_SPAN);
}

type Funds = ReadonlyMap<string, number>;

/** The balances of both parties, each place by its own name. */
async function funds(lab: Lab): Promise<Funds> {
  const balances = await Promise.all(
    (['seller', 'buyer'] as const).map(async (name) => {
      const answer = await treasury(lab, 'treasuryBalance', { as: lab.who(name) });
      return accepted(answer)
        ? [...amountsOf(answer)].map(([place, cents]) => [`${name}${place}`, cents] as const)
        : [];
    }),
  );
  return new Map(balances.flat());
}

/** How many times the sum the number that moved most has moved by. */
function times(before: Funds, after: Funds, cents: number): number {
  const moves = [...after].map(([place, now]) => Math.abs(now - (before.get(place) ?? now)) / cents);
  return Math.max(0, ...moves.filter((move) => Number.isInteger(move) && move <= 2 * VOLLEY));
}

/** Settlements of one invoice at the same moment move its amount once, however many of them are accepted. */
export async function expectPaidOnce(lab: Lab): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const cents = ownCents(lab, tries);
    const { first, moved } = await settledTogether(lab, cents);
    if (moved === 0) return notApplicable('the balance does not show settlements');
    if (moved === 1) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries < TRIES) continue;
    const amount = (cents / 100).toFixed(2);
    const because = `${VOLLEY} settlements at the same moment moved ${amount} ${moved} times`;
    throw breach(lab, first, `the amount of the invoice, ${amount}, moved once`, because);
  }
}

async function settledTogether(lab: Lab, cents: number): Promise<{ first: Answer; moved: number }> {
  const invoice = await reach(lab, 'APPROVED', { amount: (cents / 100).toFixed(2) });
  return await lab.run.funds.quiet(() => settlements(lab, invoice, cents));
}

async function settlements(lab: Lab, invoice: Invoice, cents: number): Promise<{ first: Answer; moved: number }> {
  const before = await funds(lab);
  const as = lab.who(partyFor(lab, 'settle'));
  const settle = { action: 'settle', id: invoice.id, as } as const;
  const answers = await actTogether(lab, Array(VOLLEY).fill(settle));
  const first = answers.find(accepted);
  if (!first) return notApplicable('no settlement was accepted; LIFE-01 judges that');
  await lookUntil(lab, invoice.id, (found) => found?.status === 'SETTLED');
  keepTrack(lab, { id: invoice.id, state: 'SETTLED' });
  const ask = async () => times(before, await funds(lab), cents);
  const started = performance.now();
  const within = Math.min(lab.target.limits.settleWithinMs, SHOWS_WITHIN_MS);
  if ((await pollUntil(lab, ask, (seen) => seen > 0, within)) === 0) return { first, moved: 0 };
  // What is moved a second time shows about as late as the first.
  const left = afterEffectMs(performance.now() - started, within);
  return { first, moved: await pollUntil(lab, ask, (seen) => seen > 1, left) };
}
