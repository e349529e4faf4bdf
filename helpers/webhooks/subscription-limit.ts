import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { deleteWebhook, postWebhook } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import {
  type CreatedSubscription,
  createdSubscriptions,
  forgetSubscription,
} from '../context/created-subscriptions.ts';

/** A server with a maximum number of subscriptions may reject one more with one of these statuses. */
const LIMIT_STATUSES: ReadonlySet<number> = new Set([409, 412, 422]);
/** How long to wait for checks that still need their subscriptions. */
const MAX_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 250;

/**
 * Sends a subscription. If the server seems to accept no more of them, removes those of this run that no check needs any more, and tries
 * again.
 */
export async function postWithinLimit(ctx: CheckContext, body: unknown, extra: RequestOptions): Promise<ApiResponse> {
  const until = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const response = await postWebhook(ctx, body, extra);
    const owner = response.request.actor;
    if (!LIMIT_STATUSES.has(response.status) || !owner || !ctx.target.operations.webhookDelete) return response;
    const own = () => createdSubscriptions(ctx.run).filter(({ credentials }) => credentials.actor === owner);
    while (!own().some(isUnneeded)) {
      const mayEnd = own().some(({ lifetime, execution }) => lifetime === 'check' && execution !== ctx.execution);
      if (!mayEnd || performance.now() > until) return response;
      await pause(LOOK_EVERY_MS);
    }
    if (!(await removeUnneeded(ctx, own().filter(isUnneeded)))) return response;
  }
}

function isUnneeded({ lifetime, execution }: CreatedSubscription): boolean {
  return lifetime === 'creation' || (lifetime === 'check' && execution.hasEnded);
}

/** Whether the server has removed one of them. */
async function removeUnneeded(ctx: CheckContext, unneeded: readonly CreatedSubscription[]): Promise<boolean> {
  const removed = await Promise.all(
    unneeded.map(async (subscription) => {
      // Another check must not remove it, too.
      subscription.lifetime = 'run';
      const { id, url, credentials } = subscription;
      if (id === null || !isSuccess(await deleteWebhook(ctx, id, credentials))) return false;
      forgetSubscription(ctx.run, url);
      return true;
    }),
  );
  return removed.includes(true);
}
