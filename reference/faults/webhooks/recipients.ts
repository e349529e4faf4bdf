import { overrideRules } from '../../overrides/override-rules.ts';
import { isParty } from '../../rules/access/visible-invoices.ts';
import type { Fault } from '../fault.ts';
import { withBookingEvents } from '../support/records.ts';

/** How long an event waits in the outbox. */
const OUTBOX_INTERVAL_MS = 60;

export const webhooksRecipientsFaults: readonly Fault[] = [
  {
    id: 'hook-kind-to-foreign',
    requirement: 'HOOK-05',
    defect: 'Events go to every subscription for their kind, including those of other organizations.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: overrideRules(() => ({
      subscribers: ({ store }, { kind, environment }) =>
        store.worlds[environment].subscriptions.filter(({ eventTypes }) => eventTypes.includes(kind)),
    })),
  },
  {
    id: 'hook-all-kinds-to-foreign',
    requirement: 'HOOK-05',
    defect: 'A subscription to every event kind counts as one of the operators, who receive all events.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: overrideRules((base) => ({
      subscribers: (service, event) => {
        const { subscriptions } = service.store.worlds[event.environment];
        const toAll = subscriptions.filter(
          ({ eventTypes }) => eventTypes.length >= 3 && eventTypes.includes(event.kind),
        );
        return [...new Set([...base.subscribers(service, event), ...toAll])];
      },
    })),
  },
  {
    id: 'hook-bookings-to-foreign',
    requirement: 'HOOK-05',
    defect: 'Booking events go to every subscription for them, including those of other organizations.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: overrideRules((base) => ({
      eventKinds: withBookingEvents(base),
      subscribers: ({ store, ...service }, event) =>
        event.kind.startsWith('BOOKING_')
          ? store.worlds[event.environment].subscriptions.filter(({ eventTypes }) => eventTypes.includes(event.kind))
          : base.subscribers({ store, ...service }, event),
    })),
  },
  {
    id: 'hook-outbox-of-all-callers',
    requirement: 'HOOK-05',
    defect: 'The outbox sends its events to the organizations of all requests since it was emptied.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: overrideRules((base) => {
      const seenAt = new Map<string, number>();
      return {
        authenticate: (service, request) => {
          const key = base.authenticate(service, request);
          seenAt.set(key.organizationId, performance.now());
          return key;
        },
        deliver: (service, subscription, event) => {
          base.deliver(service, subscription, event);
          const queuedAt = performance.now();
          service.background.schedule(OUTBOX_INTERVAL_MS, () => {
            const others = service.store.worlds[event.environment].subscriptions.filter(
              ({ organizationId, eventTypes }) =>
                !isParty(event.invoice, organizationId) &&
                eventTypes.includes(event.kind) &&
                (seenAt.get(organizationId) ?? 0) >= queuedAt - OUTBOX_INTERVAL_MS,
            );
            for (const each of others) base.deliver(service, each, event);
          });
        },
      };
    }),
  },
];
