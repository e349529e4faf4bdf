import type { Call, Route } from '../../service/call.ts';
import type { ServiceResponse, Subscription } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

/** Replaces what one route of the service does. */
const withRoute =
  (name: string, change: (perform: Route['perform']) => Route['perform']): NonNullable<Fault['routes']> =>
  (base) =>
    base.map((route) => (route.name === name ? { ...route, perform: change(route.perform) } : route));

const rendered = (call: Call, subscriptions: readonly Subscription[]): ServiceResponse => ({
  status: 200,
  body: { items: subscriptions.map((each) => call.rules.renderSubscription(call, each).body) },
});

/** Whether there was such a subscription. */
function remove({ world: { subscriptions } }: Call, id: string | undefined): boolean {
  const at = subscriptions.findIndex((each) => each.id === id);
  if (at >= 0) subscriptions.splice(at, 1);
  return at >= 0;
}

export const isolationSubscriptionsFaults: readonly Fault[] = [
  {
    id: 'iso-webhook-deleted-by-id',
    requirement: 'ISO-07',
    defect: 'A webhook subscription is deleted by its id alone, whatever organization it belongs to.',
    caughtBy: ['ISO-07.webhook-delete'],
    routes: withRoute(
      'unsubscribe',
      (perform) => (call) => (remove(call, call.request.params.id) ? { status: 204 } : perform(call)),
    ),
  },
  {
    id: 'iso-webhook-deleted-by-id-silently',
    requirement: 'ISO-07',
    defect: 'A webhook subscription is deleted by its id alone, and the deletion of an unknown id returns 204, too.',
    caughtBy: ['ISO-07.webhook-delete'],
    routes: withRoute('unsubscribe', () => (call) => {
      remove(call, call.request.params.id);
      return { status: 204 };
    }),
  },
  {
    id: 'iso-webhook-deleted-then-checked',
    requirement: 'ISO-07',
    defect: 'The deletion of a webhook subscription checks the organization after the row is removed.',
    caughtBy: ['ISO-07.webhook-delete'],
    routes: withRoute('unsubscribe', (perform) => (call) => {
      const { id } = call.request.params;
      const isForeign = call.world.subscriptions.some(
        (each) => each.id === id && each.organizationId !== call.organizationId,
      );
      if (isForeign) remove(call, id);
      return perform(call);
    }),
  },
  {
    id: 'iso-webhook-delete-forbidden',
    requirement: 'ISO-07',
    defect: "The deletion of another organization's subscription returns 403, which shows that it exists.",
    caughtBy: ['ISO-07.webhook-delete'],
    routes: withRoute('unsubscribe', (perform) => (call) => {
      const found = call.world.subscriptions.find((each) => each.id === call.request.params.id);
      if (found && found.organizationId !== call.organizationId)
        return { status: 403, body: { error: 'The subscription belongs to another organization', code: 'HOOK002' } };
      return perform(call);
    }),
  },
  {
    id: 'iso-webhook-list-of-all',
    requirement: 'ISO-07',
    defect: 'The list of webhook subscriptions has no filter by organization.',
    caughtBy: ['ISO-07.webhook-list'],
    routes: withRoute('subscriptions', () => (call) => rendered(call, call.world.subscriptions)),
  },
  {
    id: 'iso-webhook-list-of-both-environments',
    requirement: 'ISO-03',
    defect: 'The list of webhook subscriptions is filtered by organization, but not by environment.',
    caughtBy: ['ISO-03.webhook-list'],
    routes: withRoute('subscriptions', () => (call) => {
      const all = Object.values(call.store.worlds).flatMap(({ subscriptions }) => subscriptions);
      return rendered(
        call,
        all.filter((each) => each.organizationId === call.organizationId),
      );
    }),
  },
];
