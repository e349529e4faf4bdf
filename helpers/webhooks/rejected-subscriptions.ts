import type { WebhookReceiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { describeResponse } from '../../engine/model/messages.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { environmentHeader } from '../api/environment-header.ts';
import { invalidCredentials } from '../api/invalid-credentials.ts';
import type { RequestOptions } from '../api/operations.ts';
import { sendAction } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Check } from '../context/check.ts';
import { check } from '../context/check.ts';
import type { CheckContext } from '../context/check-context.ts';
import { mentionsId } from '../data/id-mention.ts';
import { partyFor } from '../invoices/acting-party.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { actionsLeadingTo, createInvoiceInState, ifReachable } from '../invoices/invoices.ts';
import { createSharedSettlement } from './announced-settlement.ts';
import {
  acceptedSubscriptionUrl,
  endWithRejectedReceiver,
  LATE_DELIVERY_MS,
  subscribe,
  waitForDeliveries,
  webhookReceiver,
} from './subscriptions.ts';
import type { RejectedSettlement } from './unannounced-settlement.ts';
import { expectNoRejectedPaymentDelivered } from './unannounced-settlement.ts';

/** What a subscription can be refused for, by the status that it is refused with. */
export type RejectionCause = 'credentials' | 'environment' | 'permission' | 'body';

interface SubscriptionAttempt {
  cause: RejectionCause;
  path: string;
  response: ApiResponse;
}

interface ObservedSettlement {
  inbox: WebhookReceiver;
  attempts: readonly SubscriptionAttempt[];
  /** A valid subscription, which was told of the settlement. */
  control: ApiResponse;
  invoiceId: string;
  /** Null where the settlement was not refused. */
  unsettled: RejectedSettlement | null;
}

/** Nothing wrong but what is named, and what a server that subscribes all the same could deliver to. */
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

/** One settlement for all who ask what the refused subscriptions heard of it. */
async function settleAfterRejections(ctx: CheckContext): Promise<ObservedSettlement> {
  return await ctx.run.memoize('refused subscriptions', async () => {
    const inbox = await webhookReceiver(ctx);
    const subscribed = invalidSubscriptions(ctx).map(
      async ([cause, changes, extra], at): Promise<SubscriptionAttempt> => {
        const path = `/refused/${at}`;
        return { cause, path, response: await subscribe(ctx, { url: inbox.urlFor(path), ...changes }, extra) };
      },
    );
    // At the same time: the sooner it is there, the more hear of one settlement.
    const [attempts, made] = await Promise.all([
      Promise.all(subscribed),
      ifReachable(() => createInvoiceInState(ctx, 'SUBMITTED')),
    ]);
    const control = await subscribe(ctx, { url: inbox.urlFor('/refused/none') });
    if (!isSuccess(control)) endWithRejectedReceiver(ctx, control);
    const unsettled = await provokeRejectedSettlement(ctx, made);
    const { id } = await createSharedSettlement(ctx);
    const within = ctx.target.limits.settleWithinMs;
    const heard = await waitForDeliveries(inbox, '/refused/none', within, ({ body }) => body.includes(id));
    if (heard.length === 0) notApplicable('no settlement of this server is announced');
    return { inbox, attempts, control, invoiceId: id, unsettled };
  });
}

async function provokeRejectedSettlement(
  ctx: CheckContext,
  [invoice]: readonly Invoice[],
): Promise<ObservedSettlement['unsettled']> {
  const { id } = invoice ?? (await createInvoiceInState(ctx, 'SUBMITTED'));
  const refusal = await sendAction(ctx, 'settle', id, { as: ctx.credentials(partyFor(ctx, 'settle')) });
  return isSuccess(refusal) ? null : { id, rejection: refusal };
}

/** Who subscribed to payments is not told of one that was refused for the state of its invoice. */
export async function expectStateRejectionUnannounced(ctx: CheckContext): Promise<void> {
  const { inbox, control, invoiceId, unsettled } = await settleAfterRejections(ctx);
  if (!unsettled) return notApplicable('a SUBMITTED invoice can be settled; LIFE-03.submitted-settle judges that');
  ctx.addEvidence([control, unsettled.rejection]);
  await expectNoRejectedPaymentDelivered(ctx, { inbox, path: '/refused/none', control }, unsettled, invoiceId);
}

/** A subscription that was refused hears nothing of a settlement of which a valid one hears. */
export async function expectNoDelivery(ctx: CheckContext, cause: RejectionCause): Promise<void> {
  const { inbox, attempts, control, invoiceId } = await settleAfterRejections(ctx);
  ctx.addEvidence([control, ...attempts.map(({ response }) => response)]);
  const refused = attempts.filter((each) => each.cause === cause && [400, 401, 403].includes(each.response.status));
  if (refused.length === 0) notApplicable('no such subscription is refused; that is judged elsewhere');
  await Promise.all(
    refused.map(async ({ path, response }) => {
      const [leaked] = await waitForDeliveries(inbox, path, LATE_DELIVERY_MS, ({ body }) =>
        mentionsId(body, invoiceId),
      );
      if (!leaked) return;
      const because = `after ${describeResponse(response)} it received ${leaked.body}`;
      throw breach(ctx, response, `no delivery to the subscription that was refused`, because, [control]);
    }),
  );
}

export function rejectedSubscriptionCheck(id: CheckId, ...all: Record<string, unknown>[]): Check {
  return check(id, ['seller'], async (ctx) => {
    const control = await acceptedSubscriptionUrl(ctx);
    for (const [at, changes] of all.entries()) {
      // An address of its own each: one may be subscribed once only.
      const url = `${control}/${id}/${at}`;
      const response = await subscribe(ctx, { url, ...changes });
      if (response.status === 409 || response.status === 412) await skipUnlessMoreSubscriptions(ctx, `${url}/valid`);
      expectRejected(ctx, response, [400]);
    }
  });
}

/** How many subscriptions there may be is not shown, nor whether that is asked first. */
async function skipUnlessMoreSubscriptions(ctx: CheckContext, url: string): Promise<void> {
  const { status } = await subscribe(ctx, { url });
  if (status === 409 || status === 412) notApplicable(`another subscription is refused with ${status}`);
}

export function noNotificationCheck(id: CheckId, cause: RejectionCause, ...needs: readonly 'readOnly'[]): Check {
  return check(id, ['connection', ...actionsLeadingTo('SETTLED'), ...needs], (ctx) => expectNoDelivery(ctx, cause));
}
