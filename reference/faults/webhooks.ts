import type { CheckId } from '../../specs/generated/ids.ts';
import { replaced } from '../overrides/override-rules.ts';
import type { Body, Call, Incoming, Service } from '../service/call.ts';
import { DEFAULT_CURRENCY } from '../service/money.ts';
import { refusals } from '../service/refusal.ts';
import type { Rules } from '../service/rules.ts';
import type { ApiKey, Invoice, Subscription } from '../service/store.ts';
import type { Fault } from './fault.ts';
import { refusedSettlement } from './support/rejected-settlement.ts';

const URL_OF_NOBODY = 'https://receiver.example.com/hook';

/** Settlements that are announced to nobody. */
const unannounced: readonly [
  id: string,
  sentence: string,
  isLeftOut: (invoice: Invoice, subscription: Subscription) => boolean,
][] = [
  [
    'hook-large-settlement-silent',
    'The template of the announcement fails where there is a separator of thousands, and the error is swallowed.',
    ({ amount }) => Number(amount) >= 1000,
  ],
  [
    'hook-other-currency-silent',
    'Payments in another currency than most are announced by a service that the sandbox does not have.',
    ({ currency }) => currency !== DEFAULT_CURRENCY,
  ],
  [
    'hook-once-disputed-silent',
    'What was disputed is settled by another job, which announces nothing.',
    ({ notes }) => notes.length > 0,
  ],
  [
    'hook-earlier-invoice-silent',
    'The subscriptions of an invoice are noted when it is created.',
    ({ createdAt }, subscription) => createdAt < subscription.createdAt,
  ],
];

/** Invalid subscriptions that one server or another accepts: how it sees them, and what it takes them for. */
const lenient: readonly [
  check: CheckId,
  field: string,
  defect: (value: unknown) => boolean,
  taken: unknown,
  sentence: string,
][] = [
  ['HOOK-02.url-number', 'url', (value) => typeof value === 'number', URL_OF_NOBODY, 'A numeric url is stringified.'],
  [
    'HOOK-08.url-in-array',
    'url',
    (value) => Array.isArray(value),
    URL_OF_NOBODY,
    'A url is parsed without a look at its type, and an array of one is written like it.',
  ],
  [
    'HOOK-02.url-invalid',
    'url',
    (value) => value === 'not a url',
    URL_OF_NOBODY,
    'Any text will do for a url: it is tried when something is delivered.',
  ],
  [
    'HOOK-02.event-types-string',
    'eventTypes',
    (value) => typeof value === 'string',
    ['PAYMENT_COMPLETED'],
    'A single event kind is wrapped into an array.',
  ],
  [
    'HOOK-02.event-types-numbers',
    'eventTypes',
    (value) => Array.isArray(value) && typeof value[0] === 'number',
    ['PAYMENT_COMPLETED'],
    'The elements of eventTypes are not looked at.',
  ],
  [
    'HOOK-02.signing-secret-number',
    'signingSecret',
    (value) => typeof value === 'number',
    'secret',
    'A numeric signingSecret is stringified.',
  ],
  [
    'HOOK-03.undeclared',
    'conformanceProbe',
    () => true,
    undefined,
    'Undeclared fields are stripped from a subscription.',
  ],
];

const accepting = lenient.map(
  ([check, field, defect, taken, sentence]): Fault => ({
    id: `hook-accepts-${check.split('.')[1]}`,
    requirement: check.split('.')[0] ?? '',
    sentence,
    caughtBy: [check],
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        if (!Object.hasOwn(call.body, field) || !defect(call.body[field])) return honest.validateSubscription(call);
        const { [field]: _, ...rest } = call.body;
        const body: Body = taken === undefined ? rest : { ...rest, [field]: taken };
        return honest.validateSubscription({ ...call, body });
      },
    })),
  }),
);

/** Stores the subscription of a request that is refused after all. */
function storedAllTheSame<T>(service: Service, request: Incoming, judge: () => T): T {
  try {
    return judge();
  } catch (refusal) {
    const key = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
    const { url } = request.path.endsWith('/webhooks') ? (JSON.parse(request.text) as Body) : {};
    if (key && typeof url === 'string') {
      service.store.worlds[key.environment].subscriptions.push({
        id: service.rules.newId(),
        organizationId: key.organizationId,
        url,
        eventTypes: ['PAYMENT_COMPLETED'],
        signingSecret: undefined,
        createdAt: service.rules.now().toISOString(),
      });
    }
    throw refusal;
  }
}

function announce(call: Call, invoice: Invoice): void {
  const { rules, environment } = call;
  const event = { id: rules.newId(), kind: 'PAYMENT_COMPLETED', environment, at: rules.now().toISOString(), invoice };
  for (const subscription of rules.subscribers(call, event)) rules.deliver(call, subscription, event);
}

const late: readonly [id: keyof ReturnType<typeof lateRules>, check: CheckId, requirement: string, before: string][] = [
  ['credentials', 'AUTH-07.webhook-no-notification', 'AUTH-07', 'who asks for it'],
  ['environment', 'ENV-01.webhook-no-notification', 'ENV-01', 'X-Environment'],
  ['permission', 'PERM-01.webhook-no-notification', 'PERM-01', 'the permission'],
  ['body', 'HOOK-02.no-notification', 'HOOK-02', 'the type of its fields'],
];

function lateRules(honest: Readonly<Rules>) {
  return {
    credentials: {
      authenticate: (service: Service, request: Incoming) =>
        storedAllTheSame(service, request, () => honest.authenticate(service, request)),
    },
    environment: {
      resolveEnvironment: (service: Service, key: ApiKey, request: Incoming) =>
        storedAllTheSame(service, request, () => honest.resolveEnvironment(service, key, request)),
    },
    permission: { authorize: (call: Call) => storedAllTheSame(call, call.request, () => honest.authorize(call)) },
    body: {
      validateSubscription: (call: Call) =>
        storedAllTheSame(call, call.request, () => honest.validateSubscription(call)),
    },
  };
}

/** A settlement is a booking, too. */
const withBookings =
  (honest: Rules): Rules['announce'] =>
  (action) =>
    action === 'settle' ? [...honest.announce(action), 'BOOKING_CREATED'] : honest.announce(action);

export const webhookFaults: readonly Fault[] = [
  {
    id: 'hook-first-kind-only',
    requirement: 'HOOK-07',
    sentence: 'Of several event kinds the first is stored: the column was made for one.',
    caughtBy: ['HOOK-07.several-event-kinds'],
    rules: replaced((honest) => ({
      subscribe: (call, input) => honest.subscribe(call, { ...input, eventTypes: input.eventTypes.slice(0, 1) }),
    })),
  },
  {
    id: 'hook-last-kind-only',
    requirement: 'HOOK-07',
    sentence: 'Of several event kinds the last is stored: each is written over the one before.',
    caughtBy: ['HOOK-07.several-event-kinds'],
    rules: replaced((honest) => ({
      subscribe: (call, input) => honest.subscribe(call, { ...input, eventTypes: input.eventTypes.slice(-1) }),
    })),
  },
  {
    id: 'hook-refused-payment-announced',
    requirement: 'HOOK-09',
    sentence: 'The event of a payment is sent when it is asked for, not when it is made.',
    caughtBy: ['HOOK-09.rejected-settlement'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        try {
          return honest.transition(call, invoice, action);
        } catch (refusal) {
          if (action === 'settle') announce(call, invoice);
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'hook-unfunded-payment-announced',
    requirement: 'HOOK-09',
    sentence: 'The event of a payment is written before the ledger, and survives when the funds are missing.',
    caughtBy: ['HOOK-09.insufficient-funds'],
    rules: refusedSettlement(announce),
  },
  ...accepting,
  {
    id: 'hook-secret-refused',
    requirement: 'HOOK-01',
    sentence: 'signingSecret is refused: the server wants to choose it itself.',
    caughtBy: ['HOOK-01.created'],
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        if (call.body.signingSecret !== undefined) throw refusals.invalidRequest('signingSecret: unknown');
        return honest.validateSubscription(call);
      },
    })),
  },
  {
    id: 'hook-secret-letters-break',
    requirement: 'HOOK-01',
    sentence: 'The secret is kept in ASCII, and a letter beyond it is an error that nobody catches.',
    caughtBy: ['HOOK-01.created'],
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        if (/[^\x20-\x7e]/.test(String(call.body.signingSecret))) throw new Error('ordinal not in range(128)');
        return honest.validateSubscription(call);
      },
    })),
  },
  {
    id: 'hook-kind-unknown',
    requirement: 'HOOK-01',
    sentence: 'BOOKING_UPDATED is missing from the list of event kinds.',
    caughtBy: ['HOOK-01.event-kinds'],
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        const input = honest.validateSubscription(call);
        if (input.eventTypes.includes('BOOKING_UPDATED')) throw refusals.invalidRequest('eventTypes: unknown kind');
        return input;
      },
    })),
  },
  {
    id: 'hook-three-kinds-refused',
    requirement: 'HOOK-01',
    sentence: 'The column of event kinds is too short for all three.',
    caughtBy: ['HOOK-01.event-kinds'],
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        const input = honest.validateSubscription(call);
        if (input.eventTypes.length > 2) throw refusals.invalidRequest('eventTypes: too many');
        return input;
      },
    })),
  },
  {
    id: 'hook-undeclared-422',
    requirement: 'HOOK-03',
    sentence: 'An undeclared field in a subscription is refused with 412.',
    caughtBy: ['HOOK-03.undeclared'],
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        if (Object.hasOwn(call.body, 'conformanceProbe')) throw refusals.connectionNotActive();
        return honest.validateSubscription(call);
      },
    })),
  },
  {
    id: 'hook-settlement-silent',
    requirement: 'HOOK-04',
    sentence: 'The job that announces settlements was never scheduled in the sandbox.',
    caughtBy: ['HOOK-04.settlement'],
    rules: replaced((honest) => ({ announce: (action) => (action === 'settle' ? [] : honest.announce(action)) })),
  },
  {
    id: 'hook-oldest-subscription-only',
    requirement: 'HOOK-04',
    sentence: 'An event goes to the oldest subscription of an organization; later ones are stored and forgotten.',
    caughtBy: ['HOOK-04.settlement'],
    alongside: ['HOOK-05.third-organization', 'HOOK-07.other-event-kind', 'HOOK-01.event-kinds'],
    rules: replaced((honest) => ({
      subscribers: (service, event) => honest.subscribers(service, event).slice(0, 1),
    })),
  },
  {
    id: 'hook-once',
    requirement: 'HOOK-04',
    sentence: 'The first delivery marks its subscription as done: it never hears of anything again.',
    caughtBy: ['HOOK-04.every-settlement'],
    rules: replaced((honest) => {
      const done = new WeakSet<Subscription>();
      return {
        subscribers: (service, event) => honest.subscribers(service, event).filter((each) => !done.has(each)),
        deliver: (service, subscription, event) => {
          done.add(subscription);
          honest.deliver(service, subscription, event);
        },
      };
    }),
  },
  ...unannounced.map(
    ([id, sentence, isLeftOut]): Fault => ({
      id,
      requirement: 'HOOK-04',
      sentence,
      caughtBy: ['HOOK-04.invoice-variants'],
      rules: replaced((honest) => ({
        subscribers: (service, event) =>
          honest.subscribers(service, event).filter((each) => !isLeftOut(event.invoice, each)),
      })),
    }),
  ),
  {
    id: 'hook-everybody-hears',
    requirement: 'HOOK-05',
    sentence: 'Events go to every subscription for their kind, whoever owns it.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: replaced(() => ({
      subscribers: ({ store }, { kind, environment }) =>
        store.worlds[environment].subscriptions.filter(({ eventTypes }) => eventTypes.includes(kind)),
    })),
  },
  {
    id: 'hook-all-kinds-hear-all',
    requirement: 'HOOK-05',
    sentence: 'A subscription to every kind that there is counts as one of the operators, who hear of everything.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: replaced((honest) => ({
      subscribers: (service, event) => {
        const { subscriptions } = service.store.worlds[event.environment];
        const toAll = subscriptions.filter(
          ({ eventTypes }) => eventTypes.length >= 3 && eventTypes.includes(event.kind),
        );
        return [...new Set([...honest.subscribers(service, event), ...toAll])];
      },
    })),
  },
  {
    id: 'hook-query-dropped',
    requirement: 'HOOK-04',
    sentence: 'Of an address its origin and its path are stored.',
    caughtBy: ['HOOK-04.full-url'],
    rules: replaced((honest) => ({
      subscribe: (call, input) => honest.subscribe(call, { ...input, url: input.url.replace(/\?.*$/, '') }),
    })),
  },
  {
    id: 'hook-address-lower-case',
    requirement: 'HOOK-04',
    sentence: 'The address is kept in small letters, path and all.',
    caughtBy: ['HOOK-04.full-url'],
    rules: replaced((honest) => ({
      subscribe: (call, input) => honest.subscribe(call, { ...input, url: input.url.toLowerCase() }),
    })),
  },
  {
    id: 'hook-bookings-for-everybody',
    requirement: 'HOOK-05',
    sentence: 'Events of bookings go to every subscription for them, whoever owns it.',
    caughtBy: ['HOOK-05.third-organization'],
    rules: replaced((honest) => ({
      announce: withBookings(honest),
      subscribers: ({ store, ...service }, event) =>
        event.kind.startsWith('BOOKING_')
          ? store.worlds[event.environment].subscriptions.filter(({ eventTypes }) => eventTypes.includes(event.kind))
          : honest.subscribers({ store, ...service }, event),
    })),
  },
  {
    id: 'hook-bookings-of-either-kind',
    requirement: 'HOOK-07',
    sentence: 'Who asks for one of the two kinds of bookings gets both.',
    caughtBy: ['HOOK-07.other-event-kind'],
    rules: replaced((honest) => ({
      announce: withBookings(honest),
      subscribers: (service, event) => {
        if (!event.kind.startsWith('BOOKING_')) return honest.subscribers(service, event);
        const [created, updated] = ['BOOKING_CREATED', 'BOOKING_UPDATED'].map((kind) =>
          honest.subscribers(service, { ...event, kind }),
        );
        return [...new Set([...(created ?? []), ...(updated ?? [])])];
      },
    })),
  },
  {
    id: 'hook-several-kinds-are-all',
    requirement: 'HOOK-07',
    sentence: 'The list of kinds is looked into only where it holds a single one.',
    caughtBy: ['HOOK-07.other-event-kind'],
    rules: replaced((honest) => ({
      subscribers: ({ store, ...service }, event) => {
        const world = store.worlds[event.environment];
        const some = world.subscriptions.map((each) =>
          each.eventTypes.length > 1 ? { ...each, eventTypes: [event.kind] } : each,
        );
        const worlds = { ...store.worlds, [event.environment]: { ...world, subscriptions: some } };
        return honest.subscribers({ ...service, store: { ...store, worlds } }, event);
      },
    })),
  },
  {
    id: 'hook-every-kind',
    requirement: 'HOOK-07',
    sentence: 'eventTypes is stored and never looked at: a subscription receives every kind.',
    caughtBy: ['HOOK-07.other-event-kind'],
    rules: replaced((honest) => ({
      subscribers: ({ store, ...service }, event) => {
        const world = store.worlds[event.environment];
        const all = world.subscriptions.map((each) => ({ ...each, eventTypes: [event.kind] }));
        const worlds = { ...store.worlds, [event.environment]: { ...world, subscriptions: all } };
        return honest.subscribers({ ...service, store: { ...store, worlds } }, event);
      },
    })),
  },
  ...late.map(
    ([id, check, requirement, before]): Fault => ({
      id: `hook-subscribed-before-${id}`,
      requirement,
      sentence: `A subscription is stored before ${before} is looked at, and the refusal takes nothing back.`,
      caughtBy: [check],
      rules: replaced((honest) => lateRules(honest)[id]),
    }),
  ),
];
