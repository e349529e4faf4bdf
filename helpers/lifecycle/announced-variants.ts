import { createResolvedInvoice } from '../adaptation/invoice-variants.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { MIN_AMOUNT } from '../data/amounts.ts';
import { requiredFieldsOnly } from '../data/invoice-body.ts';
import { otherCurrency } from '../fixtures/created-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable, moveToState } from '../invoices/invoices.ts';
import { endWithRejectedReceiver } from '../webhooks/subscriptions.ts';
import {
  announcementTimeoutMs,
  isSettlementAnnounced,
  subscribeToSettlements,
} from '../webhooks/watched-settlements.ts';
import { completedVariant } from './variant-lifecycle.ts';

/** More than others look at twice, and hardly more than there is. */
const FOUR_DIGIT_AMOUNT = '1250.00';
/** From here on a sum has a separator. */
const MIN_SEPARATED_AMOUNT = 1000;

type SettledVariant = [what: string, invoice: Invoice];

/** A settlement is announced whatever it is that is settled, where the announcement of a usual one names its invoice. */
export async function expectVariantsAnnounced(ctx: CheckContext): Promise<void> {
  const watch = await subscribeToSettlements(ctx);
  if (!watch) return notApplicable('no settlement is watched');
  const { inbox, subscription, hears, before } = watch;
  ctx.addEvidence([subscription]);
  if (!isSuccess(subscription)) endWithRejectedReceiver(ctx, subscription);
  if (!hears) notApplicable('no delivery names the invoice that was settled');
  const within = announcementTimeoutMs(ctx);
  const settled = await settledVariants(ctx, before);
  await Promise.all(
    settled.map(async ([what, invoice]) => {
      if (await isSettlementAnnounced(ctx, inbox, invoice)) return;
      const because = `invoice ${invoice.id} ${what} was settled, and none that names it arrived within ${within} ms`;
      throw breach(ctx, subscription, 'a delivery after each settlement', because);
    }),
  );
}

/** Those that are of many kinds at once; of a kind that none of them shows, one more. */
async function settledVariants(ctx: CheckContext, before: Invoice): Promise<SettledVariant[]> {
  const [least, most] = await Promise.all([completedVariant(ctx, 'least'), completedVariant(ctx, 'most')]);
  const made = async (what: string, make: () => Promise<Invoice>) =>
    await ifReachable<SettledVariant>(async () => [what, await make()]);
  const settled = (changes: object) => createInvoiceInState(ctx, 'SETTLED', changes);
  const more: Promise<SettledVariant[]>[] = [];
  if (!least) {
    more.push(
      made('of a cent', () => settled({ amount: MIN_AMOUNT })),
      made('with the required fields alone', () => settled(requiredFieldsOnly(ctx))),
      made('that was disputed and resolved', async () => moveToState(ctx, await createResolvedInvoice(ctx), 'SETTLED')),
    );
  }
  if (!most) more.push(made('that was there before the subscription', () => moveToState(ctx, before, 'SETTLED')));
  if (!(Number(most?.body.amount) > MIN_SEPARATED_AMOUNT))
    more.push(made(`of ${FOUR_DIGIT_AMOUNT}`, () => settled({ amount: FOUR_DIGIT_AMOUNT })));
  if (!most?.body.currency) more.push(made('in another currency', () => settledInOtherCurrency(ctx)));
  return [
    ...(least ? [['of a cent, with the required fields alone, once disputed', least] satisfies SettledVariant] : []),
    ...(most ? [['with all that may go with it, there before the subscription', most] satisfies SettledVariant] : []),
    ...(await Promise.all(more)).flat(),
  ];
}

async function settledInOtherCurrency(ctx: CheckContext): Promise<Invoice> {
  const currency = await otherCurrency(ctx);
  return currency
    ? await createInvoiceInState(ctx, 'SETTLED', { currency })
    : notApplicable('there is no other currency');
}
