import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { NOT_OFFERED } from '../../specs/target.ts';
import { deleteWebhook, listWebhooks } from '../api/operations.ts';
import { is2xx, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { type CreatedSubscription, createdSubscriptions, listedSubscriptions } from '../context/made-subscriptions.ts';

export const NOT_REMOVED = 'not removed';

/** A list may be paged: what is removed makes room for what stood behind it. */
const MAX_LIST_REQUESTS = 20;

/** Removes the webhook subscriptions that the run has made, as far as the target file binds operations for that. */
export async function removeSubscriptions(lab: CheckContext): Promise<void> {
  const all = createdSubscriptions(lab.run);
  if (all.length === 0) return;
  const { operations, notOffered } = lab.target;
  if (!operations.webhookDelete) {
    const declared = notOffered.includes('webhookDelete');
    const why = `operations.webhookDelete of the target file is ${declared ? NOT_OFFERED : 'not bound'}`;
    for (const { key } of all) lab.run.recordUnremovable(key, why);
    return;
  }
  await Promise.all(all.map((each) => removeById(lab, each)));
  if (!operations.webhookList) return;
  const owners = new Map(all.map(({ credentials: as }) => [as.actorLabel, as]));
  await Promise.all([...owners.values()].map((as) => removeListed(lab, as, all)));
}

async function removeById(lab: CheckContext, { key, id, credentials: as }: CreatedSubscription): Promise<void> {
  const unlisted = lab.target.operations.webhookList
    ? 'webhookList does not show it'
    : 'operations.webhookList is not bound';
  if (id === null) return lab.run.recordUnremovable(key, `the answer to its creation shows no id, and ${unlisted}`);
  try {
    const answer = await deleteWebhook(lab, id, as);
    if (isSuccess(answer)) lab.run.recordDeleted(key);
    else lab.run.recordRejectedRemoval(key, rejectionReason(answer));
  } catch (error) {
    lab.run.recordRejectedRemoval(key, `webhookDelete failed: ${(error as Error).message}`);
  }
}

/** Looks in the list for what is left, and for what a repeated creation made twice. */
async function removeListed(lab: CheckContext, as: Credentials, all: readonly CreatedSubscription[]): Promise<void> {
  const keys = new Map(all.map(({ url, key }) => [url, key]));
  const tried = new Set<string>();
  try {
    for (let lists = 0; lists < MAX_LIST_REQUESTS; lists += 1) {
      const answer = await listWebhooks(lab, as);
      const own = is2xx(answer) ? listedSubscriptions(answer).filter(({ url }) => keys.has(url)) : [];
      const found = own.filter(({ id }) => !tried.has(id));
      if (found.length === 0) return;
      for (const { id, url } of found) {
        tried.add(id);
        const key = keys.get(url) as string;
        const deleted = await deleteWebhook(lab, id, as);
        if (isSuccess(deleted)) lab.run.recordDeleted(key);
        else lab.run.recordRejectedRemoval(key, rejectionReason(deleted));
      }
    }
  } catch {
    // What stays was noted with its reason before.
  }
}

function rejectionReason({ status }: ApiResponse): string {
  return `webhookDelete was refused with ${status}`;
}
