import { runState } from '../../engine/ledger/run-ledger.ts';
import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { isObject, type JsonObject } from '../../engine/records/invoice-records.ts';
import type { CheckExecution } from '../../engine/run/check-definition.ts';
import type { RunContext } from '../../engine/run/run-context.ts';

/** A webhook subscription that this run created. */
export interface CreatedSubscription {
  /** The key of the subscription in the run's list of leftovers. */
  key: string;
  url: string;
  /** Null if the response to the creation shows no id. */
  id: string | null;
  credentials: Credentials;
  /** Until when the run needs it: its creation, the end of the check that made it, or the end of the run. */
  lifetime: SubscriptionLifetime;
  execution: CheckExecution;
}

export type SubscriptionLifetime = 'creation' | 'check' | 'run';

const subscriptionsOf = runState((): CreatedSubscription[] => []);

export function recordSubscription(run: RunContext, subscription: CreatedSubscription): void {
  subscriptionsOf(run).push(subscription);
}

/** Takes a subscription that a check has deleted itself from the list of those to clean up. */
export function forgetSubscription(run: RunContext, url: string): void {
  const all = subscriptionsOf(run);
  for (const deleted of all.filter((each) => each.url === url)) {
    all.splice(all.indexOf(deleted), 1);
    run.leftovers.recordDeleted(deleted.key);
  }
}

export function createdSubscriptions(run: RunContext): readonly CreatedSubscription[] {
  return subscriptionsOf(run);
}

/** No known service nests its response deeper. */
const MAX_DEPTH = 6;
const MAX_OBJECTS = 5000;

/** The objects of a body, outermost first. */
function objectsOf(json: unknown): JsonObject[] {
  const found: JsonObject[] = [];
  let level: unknown[] = [json];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && found.length < MAX_OBJECTS; depth += 1) {
    const objects = level.flat().filter(isObject);
    found.push(...objects);
    level = objects.flatMap((each) => Object.values(each));
  }
  return found;
}

const ID_NAMES = ['id', 'webhookId', 'subscriptionId', 'webhook_id', 'subscription_id', 'uuid', '_id'];

function idOf(object: JsonObject): string | null {
  const id = ID_NAMES.map((name) => object[name]).find((each) => typeof each === 'string' || typeof each === 'number');
  return id === undefined || id === '' ? null : String(id);
}

/**
 * The id of a new subscription, bare or wrapped: the id next to its url, otherwise the outermost one. Null if the
 * response shows no id.
 */
export function subscriptionId({ json }: Pick<ApiResponse, 'json'>, url: string): string | null {
  const objects = objectsOf(json);
  const besideUrl = objects.find((each) => Object.values(each).includes(url));
  return (besideUrl && idOf(besideUrl)) ?? objects.map(idOf).find((id) => id !== null) ?? null;
}

export interface ListedSubscription {
  id: string;
  url: string;
}

/** The subscriptions that a response lists in any shape, if each shows its id and its url. */
export function listedSubscriptions({ json }: Pick<ApiResponse, 'json'>): ListedSubscription[] {
  return objectsOf(json).flatMap((each) => {
    const id = idOf(each);
    const url = Object.values(each).find((value) => typeof value === 'string' && /^https?:\/\//i.test(value));
    return id !== null && typeof url === 'string' ? [{ id, url }] : [];
  });
}
