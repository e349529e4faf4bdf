import type { Receiver } from '../../engine/http/webhook-receiver.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { describeResponse } from '../../engine/model/messages.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { environment } from '../api/environment-header.ts';
import { waysToFail } from '../api/invalid-credentials.ts';
import type { Extra } from '../api/operations.ts';
import { act } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectRefused } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Check } from '../context/check.ts';
import { check } from '../context/check.ts';
import type { Lab } from '../context/check-context.ts';
import { mentions } from '../data/id-mention.ts';
import { partyFor } from '../invoices/acting-party.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { operationsTo, reach, whereReachable } from '../invoices/invoices.ts';
import { nextSettlement } from './announced-settlement.ts';
import {
  acceptedSubscription,
  deliveriesTo,
  receiver,
  receiverRefused,
  STRAGGLERS_MS,
  subscribe,
} from './subscriptions.ts';
import type { Unsettled } from './unannounced-settlement.ts';
import { expectNotAnnounced } from './unannounced-settlement.ts';

/** What a subscription can be refused for, by the status that it is refused with. */
export type Cause = 'credentials' | 'environment' | 'permission' | 'body';

interface Attempt {
  cause: Cause;
  path: string;
  answer: ApiResponse;
}

interface Settlement {
  inbox: Receiver;
  attempts: readonly Attempt[];
  /** A valid subscription, which was told of the settlement. */
  control: ApiResponse;
  invoiceId: string;
  /** Null where the settlement was not refused. */
  unsettled: Unsettled | null;
}

/** Nothing wrong but what is named, and what a server that subscribes all the same could deliver to. */
function attemptsOf(lab: Lab): [Cause, Record<string, unknown>, Extra][] {
  return [
    ['credentials', {}, { as: waysToFail['secret-wrong'](lab) }],
    ['credentials', {}, { as: waysToFail['secret-missing'](lab) }],
    ['environment', {}, { headers: environment('STAGING') }],
    ...lab
      .known('readOnly')
      .map((name): [Cause, Record<string, unknown>, Extra] => ['permission', {}, { as: lab.who(name) }]),
    ['body', { eventTypes: 'PAYMENT_COMPLETED' }, {}],
    ['body', { signingSecret: 42 }, {}],
    ['body', { conformanceProbe: 'undeclared' }, {}],
  ];
}

/** One settlement for all who ask what the refused subscriptions heard of it. */
async function settledAfterRefusals(lab: Lab): Promise<Settlement> {
  return await lab.run.once('refused subscriptions', async () => {
    const inbox = await receiver(lab);
    const subscribed = attemptsOf(lab).map(async ([cause, changes, extra], at): Promise<Attempt> => {
      const path = `/refused/${at}`;
      return { cause, path, answer: await subscribe(lab, { url: inbox.urlFor(path), ...changes }, extra) };
    });
    // At the same time: the sooner it is there, the more hear of one settlement.
    const [attempts, made] = await Promise.all([
      Promise.all(subscribed),
      whereReachable(() => reach(lab, 'SUBMITTED')),
    ]);
    const control = await subscribe(lab, { url: inbox.urlFor('/refused/none') });
    if (!isSuccess(control)) receiverRefused(lab, control);
    const unsettled = await refusedSettlement(lab, made);
    const { id } = await nextSettlement(lab);
    const within = lab.target.limits.settleWithinMs;
    const heard = await deliveriesTo(inbox, '/refused/none', within, ({ body }) => body.includes(id));
    if (heard.length === 0) notApplicable('no settlement of this server is announced');
    return { inbox, attempts, control, invoiceId: id, unsettled };
  });
}

async function refusedSettlement(lab: Lab, [invoice]: readonly Invoice[]): Promise<Settlement['unsettled']> {
  const { id } = invoice ?? (await reach(lab, 'SUBMITTED'));
  const refusal = await act(lab, 'settle', id, { as: lab.who(partyFor(lab, 'settle')) });
  return isSuccess(refusal) ? null : { id, refusal };
}

/** Who subscribed to payments is not told of one that was refused for the state of its invoice. */
export async function expectUnannounced(lab: Lab): Promise<void> {
  const { inbox, control, invoiceId, unsettled } = await settledAfterRefusals(lab);
  if (!unsettled) return notApplicable('a SUBMITTED invoice can be settled; LIFE-03.submitted-settle judges that');
  lab.shares([control, unsettled.refusal]);
  await expectNotAnnounced(lab, { inbox, path: '/refused/none', control }, unsettled, invoiceId);
}

/** A subscription that was refused hears nothing of a settlement of which a valid one hears. */
export async function expectUnheard(lab: Lab, cause: Cause): Promise<void> {
  const { inbox, attempts, control, invoiceId } = await settledAfterRefusals(lab);
  lab.shares([control, ...attempts.map(({ answer }) => answer)]);
  const refused = attempts.filter((each) => each.cause === cause && [400, 401, 403].includes(each.answer.status));
  if (refused.length === 0) notApplicable('no such subscription is refused; that is judged elsewhere');
  await Promise.all(
    refused.map(async ({ path, answer }) => {
      const [leaked] = await deliveriesTo(inbox, path, STRAGGLERS_MS, ({ body }) => mentions(body, invoiceId));
      if (!leaked) return;
      const because = `after ${describeResponse(answer)} it received ${leaked.body}`;
      throw breach(lab, answer, `no delivery to the subscription that was refused`, because, [control]);
    }),
  );
}

export function rejectedSubscriptionCheck(id: CheckId, ...all: Record<string, unknown>[]): Check {
  return check(id, ['seller'], async (lab) => {
    const control = await acceptedSubscription(lab);
    for (const [at, changes] of all.entries()) {
      // An address of its own each: one may be subscribed once only.
      const url = `${control}/${id}/${at}`;
      const answer = await subscribe(lab, { url, ...changes });
      if (answer.status === 409 || answer.status === 412) await skipUnlessMoreSubscriptions(lab, `${url}/valid`);
      expectRefused(lab, answer, [400]);
    }
  });
}

/** How many subscriptions there may be is not shown, nor whether that is asked first. */
async function skipUnlessMoreSubscriptions(lab: Lab, url: string): Promise<void> {
  const { status } = await subscribe(lab, { url });
  if (status === 409 || status === 412) notApplicable(`another subscription is refused with ${status}`);
}

export function noNotificationCheck(id: CheckId, cause: Cause, ...needs: readonly 'readOnly'[]): Check {
  return check(id, ['connection', ...operationsTo('SETTLED'), ...needs], (lab) => expectUnheard(lab, cause));
}
