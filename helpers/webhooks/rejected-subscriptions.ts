import type { WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { environmentHeader } from '../api/environment-header.ts';
import { invalidCredentials } from '../api/invalid-credentials.ts';
import { sendAction } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { isSuccess } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { type Check, check } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { partyFor } from '../invoices/acting-party.ts';
import { createInvoiceInState, type Invoice, ifReachable, needsToReach } from '../invoices/invoices.ts';
import { createSharedSettlement } from './announced-settlement.ts';
import { deliveryBreach } from './deliveries.ts';
import { mentionOf } from './invoice-mention.ts';
import {
  acceptedSubscriptionUrl,
  announcementTimeoutMs,
  findUnwantedDelivery,
  LATE_DELIVERY_MS,
  skipUnlessReceiverAccepted,
  subscribe,
  trySubscription,
  waitForDeliveries,
  webhookReceiver,
} from './subscriptions.ts';
import { expectNoRejectedPaymentDelivered, type RejectedSettlement } from './unannounced-settlement.ts';
import { unrecognizedReason } from './unrecognized-delivery.ts';

/** The reasons for which a subscription can be rejected. */
export type RejectionCause = 'credentials' | 'environment' | 'permission' | 'body';

interface SubscriptionAttempt {
  cause: RejectionCause;
  path: string;
  response: ApiResponse;
}

interface ObservedSettlement {
  inbox: WebhookReceiver;
  attempts: readonly SubscriptionAttempt[];
  /** The valid subscription that received the settlement. */
  control: ApiResponse;
  invoiceId: string;
  /** Null if the server accepted the settlement. */
  unsettled: RejectedSettlement | null;
}

/** Subscriptions with exactly one defect. Everything else is valid, so that a server that accepts them can deliver to them. */
function invalidSubscriptions(ctx: CheckContext): [RejectionCause, Record<string, unknown>, RequestOptions][] {
  return [
    ['credentials', {}, { as: invalidCredentials['secret-wrong'](ctx) }],
    ['credentials', {}, { as: invalidCredentials['secret-missing'](ctx) }],
    ['environment', {}, { headers: environmentHeader('STAGING') }],
    ...ctx
      .availableActors('readOnly')
      .map((name): [RejectionCause, Record<string, unknown>, RequestOptions] => [
        'permission',
        {},
        { as: ctx.credentials(name) },
      ]),
    ['body', { eventTypes: 'PAYMENT_COMPLETED' }, {}],
    ['body', { signingSecret: 42 }, {}],
    ['body', { conformanceProbe: 'undeclared' }, {}],
  ];
}

/** One settlement for all checks of rejected subscriptions. */
const settleAfterRejections = sharedResult(async (ctx): Promise<ObservedSettlement> => {
  const inbox = await webhookReceiver(ctx);
  const subscribed = invalidSubscriptions(ctx).map(
    async ([cause, changes, extra], at): Promise<SubscriptionAttempt> => {
      const path = `/rejected/${at}`;
      return { cause, path, response: await trySubscription(ctx, { url: inbox.urlFor(path), ...changes }, extra) };
    },
  );
  // Runs concurrently so that more subscriptions share one settlement.
  const [attempts, made] = await Promise.all([
    Promise.all(subscribed),
    ifReachable(() => createInvoiceInState(ctx, 'SUBMITTED')),
  ]);
  const control = await subscribe(ctx, { url: inbox.urlFor('/rejected/none') }, {}, 'run');
  await skipUnlessReceiverAccepted(ctx, control);
  const unsettled = await provokeRejectedSettlement(ctx, made);
  const { id } = await createSharedSettlement(ctx);
  const within = announcementTimeoutMs(ctx);
  const received = await waitForDeliveries(inbox, '/rejected/none', within, await mentionOf(ctx, id));
  if (received.length === 0)
    notApplicable(
      unrecognizedReason(ctx, inbox, '/rejected/none', { nothing: 'the server sends no notification of a settlement' }),
    );
  return { inbox, attempts, control, invoiceId: id, unsettled };
});

async function provokeRejectedSettlement(
  ctx: CheckContext,
  [invoice]: readonly Invoice[],
): Promise<ObservedSettlement['unsettled']> {
  const { id } = invoice ?? (await createInvoiceInState(ctx, 'SUBMITTED'));
  const rejection = await sendAction(ctx, 'settle', id, { as: ctx.credentials(partyFor(ctx, 'settle')) });
  return isSuccess(rejection) ? null : { id, rejection };
}

/**
 * A subscription to payments receives nothing for a settlement that was rejected because of the invoice state. Throws a Breach
 * otherwise.
 */
export async function expectStateRejectionUnannounced(ctx: CheckContext): Promise<void> {
  const { inbox, control, invoiceId, unsettled } = await settleAfterRejections(ctx);
  skipUnlessUnsettled(unsettled);
  ctx.addEvidence([control, unsettled.rejection]);
  await expectNoRejectedPaymentDelivered(ctx, { inbox, path: '/rejected/none', control }, unsettled, invoiceId);
}

function skipUnlessUnsettled(unsettled: ObservedSettlement['unsettled']): asserts unsettled is RejectedSettlement {
  if (!unsettled) notApplicable('the server settles a SUBMITTED invoice', { judgedBy: 'LIFE-03.submitted-settle' });
}

function skipUnlessAnyRejected(rejected: readonly SubscriptionAttempt[]): void {
  if (rejected.length === 0) notApplicable('the server rejects no subscription with this defect');
}

/** A rejected subscription receives no delivery of a settlement that a valid one receives. Throws a Breach otherwise. */
export async function expectNoDelivery(ctx: CheckContext, cause: RejectionCause): Promise<void> {
  const { inbox, attempts, control, invoiceId } = await settleAfterRejections(ctx);
  ctx.addEvidence([control, ...attempts.map(({ response }) => response)]);
  const rejected = attempts.filter((each) => each.cause === cause && [400, 401, 403].includes(each.response.status));
  skipUnlessAnyRejected(rejected);
  const isAbout = await mentionOf(ctx, invoiceId);
  await Promise.all(
    rejected.map(async ({ path, response }) => {
      const leaked = await findUnwantedDelivery(ctx, inbox, path, LATE_DELIVERY_MS, isAbout);
      if (!leaked) return;
      const because = `the subscription was rejected with ${describeResponse(response)}, but its URL received ${leaked.body}`;
      const expected = 'no delivery to the rejected subscription';
      throw deliveryBreach(ctx, response, { expected, because, later: 'a delivery', others: [control] });
    }),
  );
}

export function rejectedSubscriptionCheck(id: CheckId, ...all: Record<string, unknown>[]): Check {
  return check(id, ['seller'], async (ctx) => {
    const control = await acceptedSubscriptionUrl(ctx);
    for (const [at, changes] of all.entries()) {
      // Each subscription has its own URL, because a server may accept a URL only once.
      const url = `${control}/${id}/${at}`;
      const response = await subscribe(ctx, { url, ...changes });
      if (response.status === 409 || response.status === 412) await skipUnlessMoreSubscriptions(ctx, `${url}/valid`);
      expectRejected(ctx, response, [400]);
    }
  });
}

/** The contract leaves open how many subscriptions are allowed and whether that limit is checked first. */
async function skipUnlessMoreSubscriptions(ctx: CheckContext, url: string): Promise<void> {
  const { status } = await trySubscription(ctx, { url });
  if (status === 409 || status === 412) notApplicable(`the server rejects an additional subscription with ${status}`);
}

export function noNotificationCheck(id: CheckId, cause: RejectionCause, ...needs: readonly 'readOnly'[]): Check {
  return check(id, ['connection', ...needsToReach('SETTLED'), ...needs], (ctx) => expectNoDelivery(ctx, cause));
}
