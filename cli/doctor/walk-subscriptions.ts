import { absence, bindingInWords } from '../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { deleteWebhook, listWebhooks } from '../../helpers/api/operations.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { listedSubscriptions, madeSubscriptions } from '../../helpers/context/made-subscriptions.ts';
import type { OperationName } from '../../specs/target.ts';

/** How the operations on subscriptions were answered, as far as they are bound and there was a subscription to try them with. */
export type SubscriptionTrials = ReadonlyMap<OperationName, { as: string; status: number; problem: string | null }>;

/** Lists the subscriptions and removes the one that the walk has made. */
export async function walkSubscriptions(lab: Lab): Promise<SubscriptionTrials> {
  const trials = new Map<OperationName, { as: string; status: number; problem: string | null }>();
  const note = (name: OperationName, answer: ApiResponse) =>
    trials.set(name, { as: answer.ask.as, status: answer.status, problem: problemOf(lab, name, answer) });
  const [made] = madeSubscriptions(lab.run);
  if (!made) return trials;
  let { id } = made;
  if (lab.target.operations.webhookList) {
    const listed = await listWebhooks(lab, made.as);
    note('webhookList', listed);
    id ??= listedSubscriptions(listed).find(({ url }) => url === made.url)?.id ?? null;
  }
  if (lab.target.operations.webhookDelete && id !== null) {
    const deleted = await deleteWebhook(lab, id, made.as);
    note('webhookDelete', deleted);
    if (isSuccess(deleted)) lab.run.removed(made.key);
  }
  return trials;
}

function problemOf(lab: Lab, name: OperationName, answer: ApiResponse): string | null {
  const template = lab.target.operations[name];
  const why = absence(name, answer) ?? (isSuccess(answer) ? null : `is refused with ${answer.status}`);
  return why === null || !template ? null : `operations.${name}: ${bindingInWords(template)} ${why}`;
}
