import { describeBinding, missingOperationReason } from '../../engine/diagnosis/operation-binding.ts';
import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import type { ActorName, OperationName } from '../../specs/target-file/target.ts';
import { deleteWebhook, listWebhooks } from '../api/operations.ts';
import { describeResponse, is2xx, isSuccess } from '../api/responses.ts';
import { breach, expectRejected, expectThat } from '../assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { forgetSubscription, listedSubscriptions, subscriptionId } from '../context/created-subscriptions.ts';
import { sharedResult } from '../context/shared-result.ts';
import { acceptedSubscriptionUrl, subscribe } from './subscriptions.ts';

/** The contract shows neither operation, so that most services are judged without them. A wrong binding blocks the check. */
function skipUnlessBound(ctx: CheckContext, name: OperationName): void {
  blockIfDisabled(ctx, name);
  if (!ctx.target.operations[name]) notApplicable(`operations.${name} of the target file is not bound`);
}

function blockIfDisabled({ run }: CheckContext, name: OperationName): void {
  const why = run.disabledReasons.get(name);
  if (why !== undefined) throw new Blocked(`operations.${name} of the target file`, why);
}

/** Throws Blocked if the response shows that the binding is wrong. */
function blockIfMisbound({ target }: CheckContext, name: OperationName, response: ApiResponse): void {
  const template = target.operations[name];
  const why = missingOperationReason(name, response);
  if (template && why !== null)
    throw new Blocked(
      `operations.${name} of the target file`,
      `operations.${name}: ${describeBinding(template)} ${why}`,
    );
}

/**
 * Another key's list of webhook subscriptions must not show the seller's. Throws a Breach otherwise, and NotApplicable if the seller's
 * own list does not show it either.
 */
export async function expectNotListedByOthers(ctx: CheckContext, name: ActorName, expected: string): Promise<void> {
  skipUnlessBound(ctx, 'webhookList');
  const url = await listedSubscriptionUrl(ctx);
  const others = await readableList(ctx, name);
  if (name === 'buyer' && showsUrl(others, url)) await blockIfReadOnly(ctx, name);
  expectThat(ctx, !showsUrl(others, url), others, expected, `the list shows the seller's subscription to ${url}`);
}

/**
 * Throws Blocked if this key may not subscribe. A read-only key of the seller's organization rightly lists the seller's subscriptions,
 * and the preflight cannot tell it from a key of the buyer.
 */
async function blockIfReadOnly(ctx: CheckContext, name: ActorName): Promise<void> {
  const url = (await acceptedSubscriptionUrl(ctx)).replace(/\/control$/, '/isolation-own');
  blockIfForbidden(await subscribe(ctx, { url }, { as: ctx.credentials(name) }, 'run'));
}

/** An actor's list. Throws NotApplicable if the server rejects it, for example because the key may not list subscriptions. */
async function readableList(ctx: CheckContext, name: ActorName): Promise<ApiResponse> {
  const response = await listWebhooks(ctx, ctx.credentials(name));
  return is2xx(response) ? response : notApplicable(`the server rejects the list of the ${name} (${response.status})`);
}

/** The url of a subscription that the seller's list shows. Throws NotApplicable if it shows none of this run. */
const listedSubscriptionUrl = sharedResult(async (ctx): Promise<string> => {
  const url = await acceptedSubscriptionUrl(ctx);
  const list = () => listWebhooks(ctx, ctx.credentials('seller'));
  let own = await list();
  blockIfMisbound(ctx, 'webhookList', own);
  // The run may have removed it, because the server accepts only some subscriptions.
  if (is2xx(own) && !showsUrl(own, url) && isSuccess(await subscribe(ctx, { url }, {}, 'run'))) own = await list();
  if (!is2xx(own) || !showsUrl(own, url)) notApplicable("the seller's list does not show the url of its subscription");
  return url;
});

function showsUrl(response: ApiResponse, url: string): boolean {
  return listedSubscriptions(response).some((each) => each.url === url);
}

/** A subscription of an actor that no other check uses, and its id. */
async function createOwnSubscription(ctx: CheckContext, name: ActorName, path: string) {
  const as = ctx.credentials(name);
  const url = (await acceptedSubscriptionUrl(ctx)).replace(/\/control$/, path);
  const response = await subscribe(ctx, { url }, { as }, 'run');
  if (!isSuccess(response)) notApplicable(`the server rejects a subscription of the ${name} (${response.status})`);
  const id = subscriptionId(response, url) ?? (await listedId(ctx, name, url));
  return id === null ? notApplicable('no response shows the id of the subscription') : { id, url, as };
}

async function listedId(ctx: CheckContext, name: ActorName, url: string): Promise<string | null> {
  if (!ctx.target.operations.webhookList) return null;
  const listed = await listWebhooks(ctx, ctx.credentials(name));
  return listedSubscriptions(listed).find((each) => each.url === url)?.id ?? null;
}

/**
 * Another organization deletes the seller's subscription. It must get 404, and the seller must still have its subscription. Throws a
 * Breach otherwise, and NotApplicable if this server's responses to deletions show neither.
 */
export async function expectDeletionByOthersRejected(ctx: CheckContext, name: ActorName): Promise<void> {
  skipUnlessBound(ctx, 'webhookDelete');
  const { id, url, as } = await createOwnSubscription(ctx, 'seller', '/isolation');
  const foreign = await deleteWebhook(ctx, id, ctx.credentials(name));
  if (isSuccess(foreign)) await expectStillListed(ctx, url, id, foreign);
  const removed = await deleteWebhook(ctx, id, as);
  if (isSuccess(removed)) forgetSubscription(ctx.run, url);
  else {
    skipUnlessGone(removed);
    await skipUnlessDeletable(ctx, 'seller', '/deletable');
    const because = `the seller's deletion returned ${removed.status} afterwards, so this request had removed the subscription`;
    throw breach(ctx, foreign, expectedRejection(id), because, [removed]);
  }
  if (isSuccess(foreign)) await skipIfDeletedAgain(ctx, id, as);
  // The contract does not list key permissions.
  if (foreign.status === 403) await skipUnlessDeletable(ctx, name, '/deletable-by-others');
  expectRejected(ctx, foreign, [404]);
}

/** A later subscription shows that the list is up to date. Throws a Breach if the list shows only that one. */
async function expectStillListed(ctx: CheckContext, url: string, id: string, foreign: ApiResponse): Promise<void> {
  if (!ctx.target.operations.webhookList) return;
  const later = await createOwnSubscription(ctx, 'seller', '/isolation-later');
  const listed = await listWebhooks(ctx, later.as);
  const isGone = is2xx(listed) && showsUrl(listed, later.url) && !showsUrl(listed, url);
  if (isGone)
    throw breach(
      ctx,
      foreign,
      expectedRejection(id),
      "the seller's list of webhook subscriptions no longer shows the subscription",
      [listed],
    );
}

/** Throws NotApplicable if the rejection does not say that the subscription no longer exists, such as a 500. */
function skipUnlessGone(rejection: ApiResponse): void {
  if (rejection.status !== 404 && rejection.status !== 410)
    notApplicable(`the seller cannot delete its subscription: ${describeResponse(rejection)}`);
}

/** Throws NotApplicable on a service that accepts the deletion of any id. */
async function skipIfDeletedAgain(ctx: CheckContext, id: string, as: Credentials): Promise<void> {
  const again = await deleteWebhook(ctx, id, as);
  if (isSuccess(again)) notApplicable(`a deletion also returns ${again.status} for an id that no longer exists`);
}

const expectedRejection = (id: string) => `404: subscription ${id} belongs to another organization`;

/** Throws NotApplicable unless the actor can delete a subscription of its own. */
async function skipUnlessDeletable(ctx: CheckContext, name: ActorName, path: string): Promise<void> {
  const { id, url, as } = await createOwnSubscription(ctx, name, path);
  const removed = await deleteWebhook(ctx, id, as);
  blockIfMisbound(ctx, 'webhookDelete', removed);
  if (!isSuccess(removed))
    notApplicable(`the ${name} cannot delete its own subscription: ${describeResponse(removed)}`);
  forgetSubscription(ctx.run, url);
}
