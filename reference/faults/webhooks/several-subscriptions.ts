import { overrideRules } from '../../overrides/override-rules.ts';
import type { Rules } from '../../service/rules.ts';
import type { Subscription } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

const fault = (id: string, defect: string, change: (base: Readonly<Rules>) => Partial<Rules>): Fault => ({
  id,
  requirement: 'HOOK-04',
  defect,
  caughtBy: ['HOOK-04.several-subscriptions'],
  rules: overrideRules(change),
});

/** A new subscription overwrites the earlier ones with which it shares a key. */
const overwriting = (id: string, defect: string, isSame: (one: Subscription, other: Subscription) => boolean): Fault =>
  fault(id, defect, (base) => ({
    subscribe: (call, input) => {
      const added = base.subscribe(call, input);
      const { subscriptions } = call.world;
      const kept = subscriptions.filter((each) => each === added || !isSame(each, added));
      subscriptions.splice(0, subscriptions.length, ...kept);
      return added;
    },
  }));

const isOfSameOrganization = (one: Subscription, other: Subscription) => one.organizationId === other.organizationId;
const hasSameKinds = (one: Subscription, other: Subscription) => String(one.eventTypes) === String(other.eventTypes);

export const webhooksSeveralSubscriptionsFaults: readonly Fault[] = [
  overwriting(
    'hook-one-per-organization',
    'The subscription is a setting of the organization: a second one overwrites the first.',
    isOfSameOrganization,
  ),
  overwriting(
    'hook-one-per-kinds',
    'Subscriptions are stored by organization and event kinds: a second one to the same kinds overwrites the first.',
    (one, other) => isOfSameOrganization(one, other) && hasSameKinds(one, other),
  ),
  overwriting(
    'hook-one-per-kinds-of-all',
    'Subscriptions are stored by event kinds without the organization: the subscription of the buyer overwrites that of the seller.',
    (one, other) => !isOfSameOrganization(one, other) && hasSameKinds(one, other),
  ),
  overwriting(
    'hook-one-per-path',
    'Subscriptions are stored by url without its query: a second url with another query overwrites the first.',
    (one, other) => one.url.replace(/\?.*$/, '') === other.url.replace(/\?.*$/, ''),
  ),
  overwriting(
    'hook-one-per-secret',
    'Subscriptions are stored by a hash of the signingSecret: a second one with the same secret overwrites the first.',
    (one, other) => one.signingSecret === other.signingSecret,
  ),
  fault('hook-lost-update', 'Two simultaneous subscriptions each write back the list that they have read.', (base) => ({
    subscribe: (call, input) => {
      const { subscriptions } = call.world;
      const read = [...subscriptions];
      const added = base.subscribe(call, input);
      subscriptions.pop();
      call.background.schedule(15, () => subscriptions.splice(0, subscriptions.length, ...read, added));
      return added;
    },
  })),
  fault(
    'hook-first-per-kinds',
    'The recipients are collected in a map by event kinds: only one subscription of each receives the event.',
    (base) => ({
      subscribers: (service, event) => {
        const all = base.subscribers(service, event);
        return all.filter((each, at) => all.findIndex((other) => hasSameKinds(each, other)) === at);
      },
    }),
  ),
  fault('hook-url-of-latest', 'Deliveries go to the url of the latest subscription of the organization.', (base) => ({
    deliver: (service, subscription, event) => {
      const all = service.store.worlds[event.environment].subscriptions;
      const latest = all.findLast((each) => isOfSameOrganization(each, subscription)) ?? subscription;
      base.deliver(service, { ...subscription, url: latest.url }, event);
    },
  })),
  {
    ...fault(
      'hook-kinds-of-latest',
      'The event kinds are a setting of the organization: the latest ones hold for all.',
      (base) => ({
        subscribe: (call, input) => {
          const added = base.subscribe(call, input);
          for (const each of call.world.subscriptions)
            if (isOfSameOrganization(each, added)) each.eventTypes = added.eventTypes;
          return added;
        },
      }),
    ),
    requirement: 'HOOK-07',
    caughtBy: ['HOOK-07.other-event-kind'],
  },
];
