import { createHmac } from 'node:crypto';
import { overrideRules } from '../overrides/override-rules.ts';
import type { Variation } from '../overrides/server-overrides.ts';
import type { Call } from '../service/call.ts';
import { RejectionError, rejections } from '../service/rejection.ts';
import type { ServiceResponse } from '../service/store.ts';

const SHORTEST_SECRET = 32;
const MOST_SUBSCRIPTIONS = 4;
const PAST: Readonly<Record<string, string>> = { submit: 'SUBMITTED', delete: 'DELETED', dispute: 'DISPUTED' };

/** Other deliveries, recipients and valid subscriptions. */
export const webhookVariations: readonly Variation[] = [
  {
    id: 'webhook-delete-any-id',
    openPoint: 'OP-125',
    choice: '204, as for an existing one',
    routes: (base) =>
      base.map((route) => {
        if (route.name !== 'unsubscribe') return route;
        const perform = (call: Call): ServiceResponse => {
          const { subscriptions } = call.world;
          const exists = subscriptions.some(
            ({ id, organizationId }) => id === call.request.params.id && organizationId === call.organizationId,
          );
          return exists ? (route.perform(call) as ServiceResponse) : { status: 204 };
        };
        return { ...route, perform };
      }),
  },
  {
    id: 'webhook-long-secret',
    openPoint: 'OP-64',
    choice: 'a secret of at least 32 characters',
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        const { signingSecret } = base.validateSubscription(call);
        const tooShort = signingSecret !== undefined && signingSecret.length < SHORTEST_SECRET;
        if (tooShort) throw rejections.invalidRequest(`signingSecret: at least ${SHORTEST_SECRET} characters`);
        return base.validateSubscription(call);
      },
    })),
  },
  {
    id: 'webhook-duplicate-ignored',
    openPoint: 'OP-65',
    choice: 'it replaces the existing one',
    rules: overrideRules((base) => ({
      subscribe: (call, input) => {
        const { subscriptions } = call.world;
        const at = subscriptions.findIndex(
          ({ organizationId, url, eventTypes }) =>
            organizationId === call.organizationId &&
            url === input.url &&
            String(eventTypes) === String(input.eventTypes),
        );
        if (at >= 0) subscriptions.splice(at, 1);
        return base.subscribe(call, input);
      },
    })),
  },
  {
    id: 'webhook-at-most-four',
    openPoint: 'OP-65',
    choice: 'it is one too many for the organization: at most four',
    rules: overrideRules((base) => ({
      subscribe: (call, input) => {
        const own = call.world.subscriptions.filter(({ organizationId }) => organizationId === call.organizationId);
        if (own.length >= MOST_SUBSCRIPTIONS) throw new RejectionError(412, 'HOOK001', 'Too many subscriptions');
        return base.subscribe(call, input);
      },
    })),
  },
  {
    id: 'webhook-minimal-payload',
    openPoint: 'OP-67',
    choice: 'the kind and a link to the invoice',
    rules: overrideRules(() => ({
      renderEvent: (_service, { kind, invoice }) => ({ event: kind, resource: `/api/v1/invoices/${invoice.id}` }),
    })),
  },
  {
    id: 'webhook-payload-without-id',
    openPoint: 'OP-67',
    choice: 'the kind, the number and the amount',
    rules: overrideRules(() => ({
      renderEvent: (_service, { kind, invoice: { invoiceNumber, amount } }) => ({ event: kind, invoiceNumber, amount }),
    })),
  },
  {
    id: 'webhook-timed-signature',
    openPoint: 'OP-68',
    choice: 'a signature over time and body in t= and v1=',
    rules: overrideRules(() => ({
      sign: (secret, text) => {
        const at = Math.floor(Date.now() / 1000);
        return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${text}`).digest('hex')}`;
      },
    })),
  },
  {
    id: 'webhook-unsigned',
    openPoint: 'OP-68',
    choice: 'not at all',
    rules: overrideRules((base) => ({
      deliver: (service, subscription, event) =>
        base.deliver(service, { ...subscription, signingSecret: undefined }, event),
    })),
  },
  {
    id: 'events-for-every-action',
    openPoint: 'OP-69',
    choice: 'one for every action',
    rules: overrideRules((base) => ({
      eventKinds: (action) => [...base.eventKinds(action), ...(PAST[action] ? [`INVOICE_${PAST[action]}`] : [])],
    })),
  },
  {
    id: 'any-event-kind',
    openPoint: 'OP-69',
    choice: 'any upper-case name is accepted',
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        const { eventTypes } = call.body;
        const named =
          Array.isArray(eventTypes) && eventTypes.every((kind) => typeof kind === 'string' && /^[A-Z_]+$/.test(kind));
        if (!named || eventTypes.length === 0) return base.validateSubscription(call);
        const known = { ...call, body: { ...call.body, eventTypes: ['PAYMENT_COMPLETED'] } };
        return { ...base.validateSubscription(known), eventTypes: eventTypes.map(String) };
      },
    })),
  },
  {
    id: 'events-for-the-seller-only',
    openPoint: 'OP-70',
    choice: 'the seller only',
    rules: overrideRules((base) => ({
      subscribers: (service, event) =>
        base
          .subscribers(service, event)
          .filter(({ organizationId }) => organizationId === event.invoice.sellerOrganizationId),
    })),
  },
  {
    id: 'events-for-the-buyer-only',
    openPoint: 'OP-70',
    choice: 'the buyer only, who has paid',
    rules: overrideRules((base) => ({
      subscribers: (service, event) =>
        base
          .subscribers(service, event)
          .filter(({ organizationId }) => organizationId === event.invoice.buyerOrganizationId),
    })),
  },
];
