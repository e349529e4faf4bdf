import { accepted } from './accepted.ts';
import { asAmount } from './amounts.ts';
import type { Answer } from './answers.ts';
import { breach } from './expect.ts';
import { afterEffectMs, SHOWS_WITHIN_MS } from './funds.ts';
import { type Invoice, keepTrack, reach } from './invoices.ts';
import type { Lab } from './lab.ts';
import { notApplicable } from './not-judged.ts';
import { act } from './operations.ts';
import { partyFor, perform } from './parties.ts';
import { moves, ownCents, partyFunds } from './party-funds.ts';
import { pollUntil } from './poll.ts';

const TRIES = 2;
/** Apart from the sums of settlements that are paid once. */
const FIRST_SUM = 3;

/** A settlement that is refused for the invoice's state moves nothing, where the balance shows one that is accepted. */
export async function expectUnpaid(lab: Lab): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const paid = ownCents(lab, FIRST_SUM + 2 * tries);
    const unpaid = ownCents(lab, FIRST_SUM + 2 * tries + 1);
    const [approved, submitted] = await Promise.all([
      reach(lab, 'APPROVED', { amount: asAmount(paid) }),
      reach(lab, 'SUBMITTED', { amount: asAmount(unpaid) }),
    ]);
    const { refusal, moved } = await lab.run.funds.quiet(() =>
      refusedThenPaid(lab, { invoice: submitted, cents: unpaid }, { invoice: approved, cents: paid }),
    );
    if (!moved) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries + 1 < TRIES) continue;
    const because = `a balance moved by the ${asAmount(unpaid)} of the SUBMITTED invoice`;
    throw breach(lab, refusal, 'a refusal that moves no money', because);
  }
}

interface Due {
  invoice: Invoice;
  cents: number;
}

/** The refused one first: once the other one shows, its trace would show, too. */
async function refusedThenPaid(lab: Lab, refused: Due, due: Due): Promise<{ refusal: Answer; moved: boolean }> {
  const before = await partyFunds(lab);
  const refusal = await act(lab, 'settle', refused.invoice.id, { as: lab.who(partyFor(lab, 'settle')) });
  if (accepted(refusal)) notApplicable('a SUBMITTED invoice can be settled; LIFE-03.submitted-settle judges that');
  if (!accepted(await perform(lab, 'settle', due.invoice.id)))
    notApplicable('an APPROVED invoice is not settled; LIFE-01 judges that');
  keepTrack(lab, { id: due.invoice.id, state: 'SETTLED' });
  const traces = [refused.cents, refused.cents + due.cents];
  const hasTrace = (seen: readonly number[]) => seen.some((move) => traces.includes(move));
  const ask = async () => moves(before, await partyFunds(lab));
  const started = performance.now();
  const within = Math.min(lab.target.limits.settleWithinMs, SHOWS_WITHIN_MS);
  const shown = await pollUntil(lab, ask, (seen) => seen.includes(due.cents) || hasTrace(seen), within);
  if (!shown.includes(due.cents) && !hasTrace(shown)) notApplicable('the balance does not show settlements');
  const left = afterEffectMs(performance.now() - started, within);
  return { refusal, moved: hasTrace(await pollUntil(lab, ask, hasTrace, left)) };
}
