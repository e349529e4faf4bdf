import { randomUUID } from 'node:crypto';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectAccepted, expectThat } from '../../helpers/assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { noNotificationCheck, rejectedSubscriptionCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import {
  acceptedSubscriptionUrl,
  externalUrl,
  subscribe,
  webhookReceiver,
} from '../../helpers/webhooks/subscriptions.ts';

/** A secret is chosen by the caller. Which letters it may have is not shown; one that breaks the server is not refused. */
async function expectNonAsciiSecretHandled(lab: CheckContext, url: string): Promise<void> {
  // Of a kind that the run hardly ever causes: nothing more is delivered for it.
  const eventTypes = ['BOOKING_CREATED'];
  const answer = await subscribe(lab, { url, eventTypes, signingSecret: `Schlüssel-Ω-${randomUUID()}` });
  expectThat(lab, answer.status !== 500, answer, 'a subscription, or a refusal', 'answered with 500, and again');
}

export const subscriptionChecks: readonly Check[] = [
  check('HOOK-01.created', ['seller'], async (lab) => {
    const inbox = await webhookReceiver(lab);
    const url = inbox.urlFor('/created');
    const answer = await subscribe(lab, { url });
    if (isSuccess(answer)) return await expectNonAsciiSecretHandled(lab, `${url}-lettered`);
    // Its address may be one to which this server does not deliver; https to a public name is beyond doubt.
    const second = await subscribe(lab, { url: externalUrl(lab, '/created') });
    blockIfForbidden(second);
    // Other runs have left theirs behind, and how many there may be is not shown.
    if (second.status === 409 || second.status === 412) notApplicable(`no subscription is accepted (${second.status})`);
    expectAccepted(lab, second, 'a subscription');
  }),

  check('HOOK-01.event-kinds', ['seller'], async (lab) => {
    const url = await acceptedSubscriptionUrl(lab);
    const kinds = ['BOOKING_CREATED', 'BOOKING_UPDATED', 'PAYMENT_COMPLETED'];
    for (const eventTypes of [...kinds.map((each) => [each]), kinds]) {
      const kind = eventTypes.join(', ');
      // One address each: an address may be subscribed once only.
      const answer = await subscribe(lab, { url: `${url}/${eventTypes.join('-')}`, eventTypes });
      if (answer.status === 403 || answer.status === 409 || answer.status === 412) {
        notApplicable(`another subscription is refused with ${answer.status}: how many there may be is not shown`);
      }
      expectAccepted(lab, answer, `a subscription to ${kind}`);
    }
  }),

  rejectedSubscriptionCheck('HOOK-02.url-number', { url: 42 }, { url: true }),

  rejectedSubscriptionCheck(
    'HOOK-02.url-invalid',
    { url: 'not a url' },
    { url: '' },
    { url: '/conformance' },
    { url: 'receiver.example.com/hook' },
  ),

  rejectedSubscriptionCheck(
    'HOOK-02.event-types-string',
    { eventTypes: 'PAYMENT_COMPLETED' },
    { eventTypes: { 0: 'PAYMENT_COMPLETED', length: 1 } },
    { eventTypes: { PAYMENT_COMPLETED: true } },
  ),

  rejectedSubscriptionCheck(
    'HOOK-02.event-types-numbers',
    { eventTypes: [42] },
    { eventTypes: [null] },
    { eventTypes: [{ kind: 'PAYMENT_COMPLETED' }] },
    { eventTypes: [['PAYMENT_COMPLETED']] },
    { eventTypes: ['PAYMENT_COMPLETED', 42] },
  ),

  rejectedSubscriptionCheck(
    'HOOK-02.signing-secret-number',
    { signingSecret: 42 },
    { signingSecret: true },
    { signingSecret: ['conformance-signing-secret'] },
  ),

  noNotificationCheck('HOOK-02.no-notification', 'body'),

  rejectedSubscriptionCheck(
    'HOOK-03.undeclared',
    { conformanceProbe: 'undeclared' },
    { conformanceProbe: null },
    { conformanceProbe: { nested: 'undeclared' } },
    { conformanceProbe: [] },
    { active: true },
    { description: 'conformance' },
    { secret: 'conformance-signing-secret' },
    { ['__proto__']: { active: true } },
    { Url: 'https://receiver.example.com/' },
  ),

  rejectedSubscriptionCheck('HOOK-08.url-in-array', { url: ['https://receiver.example.com/'] }),
];
