import { setTimeout as pause } from 'node:timers/promises';
import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { NOT_OFFERED } from '../../specs/target-file/operations.ts';
import { deleteWebhook, listWebhooks, postWebhook } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import {
  type CreatedSubscription,
  createdSubscriptions,
  forgetSubscription,
  listedSubscriptions,
} from '../context/created-subscriptions.ts';

export const NOT_REMOVED = 'not removed';

/** The list may be paged, and later records move up after each removal. */
const MAX_LIST_REQUESTS = 20;

/**
 * Removes the webhook subscriptions of the run with the webhook operations of the target file. Records a leftover with its
 * reason if that fails.
 */
export async function removeSubscriptions(ctx: CheckContext): Promise<void> {
  const all = createdSubscriptions(ctx.run);
  if (all.length === 0) return;
  const { operations, notOffered } = ctx.target;
  if (!operations.webhookDelete) {
    const declared = notOffered.includes('webhookDelete');
    const why = `operations.webhookDelete of the target file is ${declared ? NOT_OFFERED : 'not bound'}`;
    for (const { key } of all) ctx.run.leftovers.recordUnremovable(key, why);
    return;
  }
  await Promise.all(all.map((each) => removeById(ctx, each)));
  if (!operations.webhookList) return;
  const owners = new Map(all.map(({ credentials: as }) => [as.actorLabel, as]));
  await Promise.all([...owners.values()].map((as) => removeListed(ctx, as, all)));
}

async function removeById(ctx: CheckContext, { key, id, credentials: as }: CreatedSubscription): Promise<void> {
  const unlisted = ctx.target.operations.webhookList
    ? 'webhookList does not show it'
    : 'operations.webhookList is not bound';
  if (id === null)
    return ctx.run.leftovers.recordUnremovable(key, `the response to its creation has no id, and ${unlisted}`);
  try {
    const response = await deleteWebhook(ctx, id, as);
    if (isSuccess(response)) ctx.run.leftovers.recordDeleted(key);
    else ctx.run.leftovers.recordRejectedRemoval(key, rejectionReason(response));
  } catch (error) {
    ctx.run.leftovers.recordRejectedRemoval(key, `webhookDelete failed: ${(error as Error).message}`);
  }
}

/** Removes remaining subscriptions that the list shows, including duplicates of a replayed creation. */
async function removeListed(ctx: CheckContext, as: Credentials, all: readonly CreatedSubscription[]): Promise<void> {
  const keys = new Map(all.map(({ url, key }) => [url, key]));
  const tried = new Set<string>();
  try {
    for (let lists = 0; lists < MAX_LIST_REQUESTS; lists += 1) {
      const response = await listWebhooks(ctx, as);
      const own = is2xx(response) ? listedSubscriptions(response).filter(({ url }) => keys.has(url)) : [];
      const found = own.filter(({ id }) => !tried.has(id));
      if (found.length === 0) return;
      for (const { id, url } of found) {
        tried.add(id);
        const key = keys.get(url) as string;
        const deleted = await deleteWebhook(ctx, id, as);
        if (isSuccess(deleted)) ctx.run.leftovers.recordDeleted(key);
        else ctx.run.leftovers.recordRejectedRemoval(key, rejectionReason(deleted));
      }
    }
  } catch {
    // The leftovers already have a recorded reason.
  }
}

function rejectionReason({ status }: ApiResponse): string {
  return `webhookDelete was rejected with ${status}`;
}

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
