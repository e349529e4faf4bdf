import { accepted } from './accepted.ts';
import { otherCurrency } from './created.ts';
import type { Delivery } from './deliveries.ts';
import { onceDisputed } from './every-kind.ts';
import { breach } from './expect.ts';
import { UNDRESSED } from './invoice-body.ts';
import { bring, freshInvoice, type Invoice, reach, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { mentions } from './mentions.ts';
import { notApplicable } from './not-judged.ts';
import { deliveriesTo, receiver, subscribe } from './subscriptions.ts';
import { LEAST_SUM } from './unusual-sums.ts';

const PATH = '/unusual-settlements';
/** More than others look at twice, and hardly more than there is. */
const SOME_THOUSAND = '1250.00';

/** A settlement is announced whatever it is that is settled, where the announcement of a usual one names its invoice. */
export async function expectUnusualOnesHeard(lab: Lab, withinMs: number): Promise<void> {
  const inbox = await receiver(lab);
  const before = await freshInvoice(lab);
  const subscription = await subscribe(lab, { url: inbox.urlFor(PATH) });
  if (!accepted(subscription))
    notApplicable(`a subscription to the kit's own receiver is refused (${subscription.status})`);
  const heardOf = async ({ id }: Invoice, ms: number) =>
    (await deliveriesTo(inbox, PATH, ms, ({ body }: Delivery) => mentions(body, id))).length > 0;
  const usual = await reach(lab, 'SETTLED');
  if (!(await heardOf(usual, withinMs))) notApplicable('no delivery names the invoice that was settled');
  const settled = (await Promise.all(unusual(lab, before))).flat();
  await Promise.all(
    settled.map(async ([what, invoice]) => {
      if (await heardOf(invoice, withinMs)) return;
      const because = `invoice ${invoice.id} ${what} was settled, and none that names it arrived within ${withinMs} ms`;
      throw breach(lab, subscription, 'a delivery after each settlement', because);
    }),
  );
}

function unusual(lab: Lab, before: Invoice): Promise<[what: string, invoice: Invoice][]>[] {
  const made = (what: string, make: () => Promise<Invoice>) =>
    whereReachable<[string, Invoice]>(async () => [what, await make()]);
  const settled = (changes: object) => reach(lab, 'SETTLED', changes);
  return [
    made('that was there before the subscription', () => bring(lab, before, 'SETTLED')),
    made(`of ${SOME_THOUSAND}`, () => settled({ amount: SOME_THOUSAND })),
    made('of a cent', () => settled({ amount: LEAST_SUM })),
    made('with the required fields alone', () => settled(UNDRESSED)),
    made('that was disputed and resolved', async () => bring(lab, await onceDisputed(lab), 'SETTLED')),
    made('in another currency', async () => {
      const currency = await otherCurrency(lab);
      return currency ? await settled({ currency }) : notApplicable('there is no other currency');
    }),
  ];
}
