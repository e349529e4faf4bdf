import { describeBinding, missingOperationReason } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { deleteWebhook, listWebhooks } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { createdSubscriptions, listedSubscriptions } from '../../helpers/context/created-subscriptions.ts';
import type { OperationName } from '../../specs/target-file/target.ts';

/** Results of the subscription operations that are bound; empty if the probe created no subscription. */
export type SubscriptionProbes = ReadonlyMap<OperationName, { as: string; status: number; problem: string | null }>;

/** Lists the subscriptions and deletes the one that the probe created. */
export async function probeSubscriptions(ctx: CheckContext): Promise<SubscriptionProbes> {
  const trials = new Map<OperationName, { as: string; status: number; problem: string | null }>();
  const note = (name: OperationName, response: ApiResponse) =>
    trials.set(name, {
      as: response.request.actorLabel,
      status: response.status,
      problem: subscriptionProblem(ctx, name, response),
    });
  const [made] = createdSubscriptions(ctx.run);
  if (!made) return trials;
  let { id } = made;
  if (ctx.target.operations.webhookList) {
    const listed = await listWebhooks(ctx, made.credentials);
    note('webhookList', listed);
    id ??= listedSubscriptions(listed).find(({ url }) => url === made.url)?.id ?? null;
  }
  if (ctx.target.operations.webhookDelete && id !== null) {
    const deleted = await deleteWebhook(ctx, id, made.credentials);
    note('webhookDelete', deleted);
    if (isSuccess(deleted)) ctx.run.leftovers.recordDeleted(made.key);
  }
  return trials;
}

function subscriptionProblem(ctx: CheckContext, name: OperationName, response: ApiResponse): string | null {
  const template = ctx.target.operations[name];
  const why =
    missingOperationReason(name, response) ?? (isSuccess(response) ? null : `was rejected with ${response.status}`);
  return why === null || !template ? null : `operations.${name}: ${describeBinding(template)} ${why}`;
}
