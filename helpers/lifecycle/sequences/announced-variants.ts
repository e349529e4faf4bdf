import { createResolvedInvoice } from '../../adaptation/invoice-variants.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { MIN_AMOUNT } from '../../data/amounts.ts';
import { requiredFieldsOnly } from '../../data/invoice-body.ts';
import { otherCurrency } from '../../fixtures/created-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable, moveToState } from '../../invoices/invoices.ts';
import { deliveryBreach } from '../../webhooks/deliveries.ts';
import { skipIfRemoved } from '../../webhooks/lost-subscriptions.ts';
import { announcementTimeoutMs, skipUnlessReceiverAccepted } from '../../webhooks/subscriptions.ts';
import { unrecognizedReason } from '../../webhooks/unrecognized-delivery.ts';
import {
  isSettlementAnnounced,
  type SettlementSubscription,
  SUBSCRIPTION_PATH,
  subscribeToSettlements,
} from '../../webhooks/watched-settlements.ts';
import { completedVariant } from './variant-lifecycle.ts';

/** An amount above common thresholds that the sandbox can still pay. */
const FOUR_DIGIT_AMOUNT = '1250.00';
/** Amounts from here on have a thousands separator in formatted text. */
const MIN_SEPARATED_AMOUNT = 1000;

type SettledVariant = [what: string, invoice: Invoice];

/** Throws a Breach if the settlement of a variant is not delivered, while that of an ordinary invoice is. */
export async function expectVariantsAnnounced(ctx: CheckContext): Promise<void> {
  const watch = await subscribeToSettlements(ctx);
  skipUnlessSubscribed(watch);
  const { inbox, subscription, before } = watch;
  ctx.addEvidence([subscription]);
  await skipUnlessReceiverAccepted(ctx, subscription);
  skipUnlessDelivered(ctx, watch);
  const within = announcementTimeoutMs(ctx);
  const settled = await settledVariants(ctx, before);
  const judged = Promise.all(
    settled.map(async ([what, invoice]) => {
      if (await isSettlementAnnounced(ctx, inbox, invoice)) return;
      const because = `invoice ${invoice.id} ${what} was settled, but no delivery with its id arrived within ${within} ms`;
      throw deliveryBreach(ctx, subscription, {
        expected: 'a delivery after each settlement',
        because,
        later: 'no delivery',
      });
    }),
  );
  try {
    await judged;
  } catch (error) {
    await skipIfRemoved(ctx, SUBSCRIPTION_PATH, error);
    throw error;
  }
}

function skipUnlessSubscribed(watch: SettlementSubscription | null): asserts watch is SettlementSubscription {
  if (!watch) notApplicable('the run has no subscription to settlements');
}

function skipUnlessDelivered(ctx: CheckContext, { isDelivered, inbox }: SettlementSubscription): void {
  if (!isDelivered)
    notApplicable(
      unrecognizedReason(ctx, inbox, SUBSCRIPTION_PATH, {
        nothing: 'the server sends no notification of a settlement',
      }),
    );
}

/** Settled invoices that combine several variants, and one more for each variant that these do not cover. */
async function settledVariants(ctx: CheckContext, before: Invoice): Promise<SettledVariant[]> {
  const [least, most] = await Promise.all([completedVariant(ctx, 'least'), completedVariant(ctx, 'most')]);
  const made = async (what: string, make: () => Promise<Invoice>) =>
    await ifReachable<SettledVariant>(async () => [what, await make()]);
  const settled = (changes: object) => createInvoiceInState(ctx, 'SETTLED', changes);
  const more: Promise<SettledVariant[]>[] = [];
  if (!least) {
    more.push(
      made('of one cent', () => settled({ amount: MIN_AMOUNT })),
      made('with only the required fields', () => settled(requiredFieldsOnly(ctx))),
      made('that was disputed and resolved', async () => moveToState(ctx, await createResolvedInvoice(ctx), 'SETTLED')),
    );
  }
  if (!most) more.push(made('that is older than the subscription', () => moveToState(ctx, before, 'SETTLED')));
  if (!(Number(most?.body.amount) > MIN_SEPARATED_AMOUNT))
    more.push(made(`of ${FOUR_DIGIT_AMOUNT}`, () => settled({ amount: FOUR_DIGIT_AMOUNT })));
  if (!most?.body.currency) more.push(made('in another currency', () => settledInOtherCurrency(ctx)));
  return [
    ...(least ? [['of one cent with only the required fields, once disputed', least] satisfies SettledVariant] : []),
    ...(most ? [['with all optional fields, older than the subscription', most] satisfies SettledVariant] : []),
    ...(await Promise.all(more)).flat(),
  ];
}

async function settledInOtherCurrency(ctx: CheckContext): Promise<Invoice> {
  const currency = await otherCurrency(ctx);
  return currency
    ? await createInvoiceInState(ctx, 'SETTLED', { currency })
    : notApplicable('the server accepts no other currency');
}
