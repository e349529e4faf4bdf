import { overrideRules } from '../../overrides/override-rules.ts';
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
    id: 'hook-outbox-of-current-caller',
    requirement: 'HOOK-05',
    defect: 'The outbox sends to the organization of the request that the process handles at that moment.',
    caughtBy: ['HOOK-05.third-organization'],
    // Among all requests of a run, those of a third organization are rare.
    judgedByNamedChecksOnly: true,
    rules: overrideRules((base) => {
      let current = '';
      return {
        authenticate: (service, request) => {
          const key = base.authenticate(service, request);
          current = key.organizationId;
          return key;
        },
        deliver: (service, subscription, event) => {
          service.background.schedule(OUTBOX_INTERVAL_MS, () => {
            const recipients = service.store.worlds[event.environment].subscriptions.filter(
              ({ organizationId, eventTypes }) => organizationId === current && eventTypes.includes(event.kind),
            );
            for (const each of recipients.length > 0 ? recipients : [subscription]) base.deliver(service, each, event);
          });
        },
      };
    }),
  },
];
