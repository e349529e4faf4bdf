import { describeBinding, missingOperationReason } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { deleteWebhook, listWebhooks } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { createdSubscriptions, listedSubscriptions } from '../../helpers/context/made-subscriptions.ts';
import type { OperationName } from '../../specs/target.ts';

/** How the operations on subscriptions were answered, as far as they are bound and there was a subscription to try them with. */
export type SubscriptionProbes = ReadonlyMap<OperationName, { as: string; status: number; problem: string | null }>;

/** Lists the subscriptions and removes the one that the walk has made. */
export async function probeSubscriptions(lab: CheckContext): Promise<SubscriptionProbes> {
  const trials = new Map<OperationName, { as: string; status: number; problem: string | null }>();
  const note = (name: OperationName, answer: ApiResponse) =>
    trials.set(name, {
      as: answer.request.actorLabel,
      status: answer.status,
      problem: subscriptionProblem(lab, name, answer),
    });
  const [made] = createdSubscriptions(lab.run);
  if (!made) return trials;
  let { id } = made;
  if (lab.target.operations.webhookList) {
    const listed = await listWebhooks(lab, made.credentials);
    note('webhookList', listed);
    id ??= listedSubscriptions(listed).find(({ url }) => url === made.url)?.id ?? null;
  }
  if (lab.target.operations.webhookDelete && id !== null) {
    const deleted = await deleteWebhook(lab, id, made.credentials);
    note('webhookDelete', deleted);
    if (isSuccess(deleted)) lab.run.recordDeleted(made.key);
  }
  return trials;
}

function subscriptionProblem(lab: CheckContext, name: OperationName, answer: ApiResponse): string | null {
  const template = lab.target.operations[name];
  const why = missingOperationReason(name, answer) ?? (isSuccess(answer) ? null : `is refused with ${answer.status}`);
  return why === null || !template ? null : `operations.${name}: ${describeBinding(template)} ${why}`;
}
