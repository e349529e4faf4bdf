import { onceDisputed } from '../adaptation/invoice-variants.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { LEAST_SUM } from '../data/amounts.ts';
import { undressed } from '../data/invoice-body.ts';
import { otherCurrency } from '../fixtures/created-invoice.ts';
import { bring, type Invoice, reach, whereReachable } from '../invoices/invoices.ts';
import { receiverRefused } from '../webhooks/subscriptions.ts';
import { announcedWithinMs, isHeardOf, watchedSettlements } from '../webhooks/watched-settlements.ts';
import { wentAllTheWay } from './variant-lifecycle.ts';

/** More than others look at twice, and hardly more than there is. */
const SOME_THOUSAND = '1250.00';
/** From here on a sum has a separator. */
const THOUSAND = 1000;

type Settled = [what: string, invoice: Invoice];

/** A settlement is announced whatever it is that is settled, where the announcement of a usual one names its invoice. */
export async function expectUnusualOnesHeard(lab: Lab): Promise<void> {
  const watch = await watchedSettlements(lab);
  if (!watch) return notApplicable('no settlement is watched');
  const { inbox, subscription, hears, before } = watch;
  lab.shares([subscription]);
  if (!isSuccess(subscription)) receiverRefused(lab, subscription);
  if (!hears) notApplicable('no delivery names the invoice that was settled');
  const within = announcedWithinMs(lab);
  const settled = await unusual(lab, before);
  await Promise.all(
    settled.map(async ([what, invoice]) => {
      if (await isHeardOf(lab, inbox, invoice)) return;
      const because = `invoice ${invoice.id} ${what} was settled, and none that names it arrived within ${within} ms`;
      throw breach(lab, subscription, 'a delivery after each settlement', because);
    }),
  );
}

/** Those that are of many kinds at once; of a kind that none of them shows, one more. */
async function unusual(lab: Lab, before: Invoice): Promise<Settled[]> {
  const [least, most] = await Promise.all([wentAllTheWay(lab, 'least'), wentAllTheWay(lab, 'most')]);
  const made = async (what: string, make: () => Promise<Invoice>) =>
    await whereReachable<Settled>(async () => [what, await make()]);
  const settled = (changes: object) => reach(lab, 'SETTLED', changes);
  const more: Promise<Settled[]>[] = [];
  if (!least) {
    more.push(
      made('of a cent', () => settled({ amount: LEAST_SUM })),
      made('with the required fields alone', () => settled(undressed(lab))),
      made('that was disputed and resolved', async () => bring(lab, await onceDisputed(lab), 'SETTLED')),
    );
  }
  if (!most) more.push(made('that was there before the subscription', () => bring(lab, before, 'SETTLED')));
  if (!(Number(most?.body.amount) > THOUSAND))
    more.push(made(`of ${SOME_THOUSAND}`, () => settled({ amount: SOME_THOUSAND })));
  if (!most?.body.currency) more.push(made('in another currency', () => settledInOtherCurrency(lab)));
  return [
    ...(least ? [['of a cent, with the required fields alone, once disputed', least] satisfies Settled] : []),
    ...(most ? [['with all that may go with it, there before the subscription', most] satisfies Settled] : []),
    ...(await Promise.all(more)).flat(),
  ];
}

async function settledInOtherCurrency(lab: Lab): Promise<Invoice> {
  const currency = await otherCurrency(lab);
  return currency ? await reach(lab, 'SETTLED', { currency }) : notApplicable('there is no other currency');
}
