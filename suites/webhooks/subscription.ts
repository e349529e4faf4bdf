import { randomUUID } from 'node:crypto';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectAccepted, expectThat } from '../../helpers/assert/expect.ts';
import { statusIsNot } from '../../helpers/assert/expectations.ts';
import { blockIfForbidden, notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { noNotificationCheck, rejectedSubscriptionCheck } from '../../helpers/webhooks/rejected-subscriptions.ts';
import {
  acceptedSubscriptionUrl,
  externalUrl,
  subscribe,
  webhookReceiver,
} from '../../helpers/webhooks/subscriptions.ts';

/** The contract does not restrict the characters of a signingSecret: a server may reject one, but must not fail with 500. */
async function expectNonAsciiSecretHandled(ctx: CheckContext, url: string): Promise<void> {
  // The run hardly ever causes this event type, so the subscription receives no deliveries.
  const eventTypes = ['BOOKING_CREATED'];
  const response = await subscribe(ctx, { url, eventTypes, signingSecret: `Schlüssel-Ω-${randomUUID()}` });
  expectThat(
    ctx,
    response.status !== 500,
    response,
    'the subscription accepted or rejected',
    'the server returned 500 twice for a signingSecret with non-ASCII characters',
    statusIsNot(500),
  );
}

export const subscriptionChecks: readonly Check[] = [
  check('HOOK-01.created', ['seller'], async (ctx) => {
    const inbox = await webhookReceiver(ctx);
    const url = inbox.urlFor('/created');
    const response = await subscribe(ctx, { url });
    if (isSuccess(response)) return await expectNonAsciiSecretHandled(ctx, `${url}-lettered`);
    // A server may reject the address of the kit's receiver, but not https with a public host name.
    const second = await subscribe(ctx, { url: externalUrl(ctx, '/created') });
    blockIfForbidden(second);
    // The contract sets no maximum number of subscriptions, and leftovers of other runs may have reached the server's limit.
    if (second.status === 409 || second.status === 412)
      notApplicable(`the server accepts no subscription (${second.status})`);
    expectAccepted(ctx, second, 'a subscription');
  }),

  check('HOOK-01.event-kinds', ['seller'], async (ctx) => {
    const url = await acceptedSubscriptionUrl(ctx);
    const all = ['BOOKING_CREATED', 'BOOKING_UPDATED', 'PAYMENT_COMPLETED'];
    for (const eventTypes of [...all.map((each) => [each]), all]) {
      const kind = eventTypes.join(', ');
      // A server may accept only one subscription per URL.
      const response = await subscribe(ctx, { url: `${url}/${eventTypes.join('-')}`, eventTypes });
      if (response.status === 403 || response.status === 409 || response.status === 412) {
        notApplicable(
          `the server rejects an additional subscription with ${response.status}; the contract sets no maximum number`,
        );
      }
      expectAccepted(ctx, response, `a subscription to ${kind}`);
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
    // In place of a declared field: a server may read it as that field.
    { url: undefined, Url: 'https://receiver.example.com/renamed' },
    { url: undefined, callbackUrl: 'https://receiver.example.com/callback' },
    { eventTypes: undefined, event_types: ['PAYMENT_COMPLETED'] },
    { eventTypes: undefined, events: ['PAYMENT_COMPLETED'] },
    { signingSecret: undefined, signing_secret: 'conformance-signing-secret' },
    { signingSecret: undefined, secret: 'conformance-signing-secret' },
  ),

  rejectedSubscriptionCheck('HOOK-08.url-in-array', { url: ['https://receiver.example.com/'] }),
];
