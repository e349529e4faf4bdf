import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { withBookingEvents } from '../support/records.ts';

export const webhooksRecipientsFaults: readonly Fault[] = [
  {
    id: 'hook-everybody-hears',
    requirement: 'HOOK-05',
    defect: 'Events go to every subscription for their kind, whoever owns it.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: overrideRules(() => ({
      subscribers: ({ store }, { kind, environment }) =>
        store.worlds[environment].subscriptions.filter(({ eventTypes }) => eventTypes.includes(kind)),
    })),
  },
  {
    id: 'hook-all-kinds-hear-all',
    requirement: 'HOOK-05',
    defect: 'A subscription to every kind that there is counts as one of the operators, who hear of everything.',
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
    id: 'hook-bookings-for-everybody',
    requirement: 'HOOK-05',
    defect: 'Events of bookings go to every subscription for them, whoever owns it.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: overrideRules((base) => ({
      eventKinds: withBookingEvents(base),
      subscribers: ({ store, ...service }, event) =>
        event.kind.startsWith('BOOKING_')
          ? store.worlds[event.environment].subscriptions.filter(({ eventTypes }) => eventTypes.includes(event.kind))
          : base.subscribers({ store, ...service }, event),
    })),
  },
];
