import { overrideRules } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { DEFAULT_CURRENCY } from '../../service/money.ts';
import type { Invoice, Subscription } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { withBookingEvents } from '../support/records.ts';
import { onRejectedSettlement } from '../support/treasury.ts';

/** Settlements without a delivery. */
const unannounced: readonly [
  id: string,
  sentence: string,
  isLeftOut: (invoice: Invoice, subscription: Subscription) => boolean,
][] = [
  [
    'hook-large-settlement-silent',
    'The template of a delivery fails for a thousands separator, and the error is ignored.',
    ({ amount }) => Number(amount) >= 1000,
  ],
  [
    'hook-other-currency-silent',
    'Payments in an unusual currency are delivered by a service that the sandbox does not have.',
    ({ currency }) => currency !== DEFAULT_CURRENCY,
  ],
  [
    'hook-once-disputed-silent',
    'An invoice that was once disputed is settled by another job, which sends no delivery.',
    ({ notes }) => notes.length > 0,
  ],
  [
    'hook-earlier-invoice-silent',
    'The subscriptions of an invoice are fixed when it is created.',
    ({ createdAt }, subscription) => createdAt < subscription.createdAt,
  ],
];

function announce(call: Call, invoice: Invoice): void {
  const { rules, environment } = call;
  const event = { id: rules.newId(), kind: 'PAYMENT_COMPLETED', environment, at: rules.now().toISOString(), invoice };
  for (const subscription of rules.subscribers(call, event)) rules.deliver(call, subscription, event);
}

export const webhooksDeliveryFaults: readonly Fault[] = [
  {
    id: 'hook-first-kind-only',
    requirement: 'HOOK-07',
    defect: 'Of several event kinds, only the first is stored, because the column holds one.',
    caughtBy: ['HOOK-07.several-event-kinds'],
    rules: overrideRules((base) => ({
      subscribe: (call, input) => base.subscribe(call, { ...input, eventTypes: input.eventTypes.slice(0, 1) }),
    })),
  },
  {
    id: 'hook-last-kind-only',
    requirement: 'HOOK-07',
    defect: 'Of several event kinds, only the last is stored, because each overwrites the previous one.',
    caughtBy: ['HOOK-07.several-event-kinds'],
    rules: overrideRules((base) => ({
      subscribe: (call, input) => base.subscribe(call, { ...input, eventTypes: input.eventTypes.slice(-1) }),
    })),
  },
  {
    id: 'hook-rejected-payment-delivered',
    requirement: 'HOOK-09',
    defect: 'The payment event is sent when the payment is requested, not when it is made.',
    caughtBy: ['HOOK-09.rejected-settlement'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        try {
          return base.transition(call, invoice, action);
        } catch (refusal) {
          if (action === 'settle') announce(call, invoice);
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'hook-insufficient-funds-delivered',
    requirement: 'HOOK-09',
    defect: 'The payment event is sent before the ledger is written, even if the funds are insufficient.',
    caughtBy: ['HOOK-09.insufficient-funds'],
    rules: onRejectedSettlement(announce),
  },
  {
    id: 'hook-settlement-silent',
    requirement: 'HOOK-04',
    defect: 'The job that delivers settlements was never scheduled in the sandbox.',
    caughtBy: ['HOOK-04.settlement'],
    rules: overrideRules((base) => ({ eventKinds: (action) => (action === 'settle' ? [] : base.eventKinds(action)) })),
  },
  {
    id: 'hook-oldest-subscription-only',
    requirement: 'HOOK-04',
    defect: 'An event is delivered to the oldest subscription of an organization only.',
    caughtBy: ['HOOK-04.settlement'],
    alsoRun: ['HOOK-05.third-organization', 'HOOK-07.other-event-kind', 'HOOK-01.event-kinds'],
    rules: overrideRules((base) => ({
      subscribers: (service, event) => base.subscribers(service, event).slice(0, 1),
    })),
  },
  {
    id: 'hook-first-delivery-only',
    requirement: 'HOOK-04',
    defect: 'The first delivery marks its subscription as completed: it receives no further event.',
    caughtBy: ['HOOK-04.every-settlement'],
    rules: overrideRules((base) => {
      const done = new WeakSet<Subscription>();
      return {
        subscribers: (service, event) => base.subscribers(service, event).filter((each) => !done.has(each)),
        deliver: (service, subscription, event) => {
          done.add(subscription);
          base.deliver(service, subscription, event);
        },
      };
    }),
  },
  ...unannounced.map(
    ([id, sentence, isLeftOut]): Fault => ({
      id,
      requirement: 'HOOK-04',
      defect: sentence,
      caughtBy: ['HOOK-04.invoice-variants'],
      rules: overrideRules((base) => ({
        subscribers: (service, event) =>
          base.subscribers(service, event).filter((each) => !isLeftOut(event.invoice, each)),
      })),
    }),
  ),
  {
    id: 'hook-query-dropped',
    requirement: 'HOOK-04',
    defect: 'Only the origin and the path of a url are stored.',
    caughtBy: ['HOOK-04.full-url'],
    rules: overrideRules((base) => ({
      subscribe: (call, input) => base.subscribe(call, { ...input, url: input.url.replace(/\?.*$/, '') }),
    })),
  },
  {
    id: 'hook-query-decoded',
    requirement: 'HOOK-04',
    defect: 'The url is decoded before it is stored: an encoded ampersand in its query separates two parameters.',
    caughtBy: ['HOOK-04.full-url'],
    rules: overrideRules((base) => ({
      subscribe: (call, input) => base.subscribe(call, { ...input, url: input.url.replaceAll('%26', '&') }),
    })),
  },
  {
    id: 'hook-address-lower-case',
    requirement: 'HOOK-04',
    defect: 'The url is stored in lower case, including the path.',
    caughtBy: ['HOOK-04.full-url'],
    rules: overrideRules((base) => ({
      subscribe: (call, input) => base.subscribe(call, { ...input, url: input.url.toLowerCase() }),
    })),
  },
  {
    id: 'hook-bookings-of-either-kind',
    requirement: 'HOOK-07',
    defect: 'A subscription to one of the two kinds of booking events receives both.',
    caughtBy: ['HOOK-07.other-event-kind'],
    rules: overrideRules((base) => ({
      eventKinds: withBookingEvents(base),
      subscribers: (service, event) => {
        if (!event.kind.startsWith('BOOKING_')) return base.subscribers(service, event);
        const [created, updated] = ['BOOKING_CREATED', 'BOOKING_UPDATED'].map((kind) =>
          base.subscribers(service, { ...event, kind }),
        );
        return [...new Set([...(created ?? []), ...(updated ?? [])])];
      },
    })),
  },
  {
    id: 'hook-several-kinds-are-all',
    requirement: 'HOOK-07',
    defect: 'The list of event kinds is applied only if it contains a single kind.',
    caughtBy: ['HOOK-07.other-event-kind'],
    rules: overrideRules((base) => ({
      subscribers: ({ store, ...service }, event) => {
        const world = store.worlds[event.environment];
        const some = world.subscriptions.map((each) =>
          each.eventTypes.length > 1 ? { ...each, eventTypes: [event.kind] } : each,
        );
        const worlds = { ...store.worlds, [event.environment]: { ...world, subscriptions: some } };
        return base.subscribers({ ...service, store: { ...store, worlds } }, event);
      },
    })),
  },
  {
    id: 'hook-every-kind',
    requirement: 'HOOK-07',
    defect: 'eventTypes is stored but not applied: a subscription receives every kind.',
    caughtBy: ['HOOK-07.other-event-kind'],
    rules: overrideRules((base) => ({
      subscribers: ({ store, ...service }, event) => {
        const world = store.worlds[event.environment];
        const all = world.subscriptions.map((each) => ({ ...each, eventTypes: [event.kind] }));
        const worlds = { ...store.worlds, [event.environment]: { ...world, subscriptions: all } };
        return base.subscribers({ ...service, store: { ...store, worlds } }, event);
      },
    })),
  },
];
