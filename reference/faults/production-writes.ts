import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import { addFunds } from '../rules/money/funds.ts';
import type { Call, Incoming, Service } from '../service/call.ts';
import { DEFAULT_CURRENCY, toCents } from '../service/money.ts';
import { refusals } from '../service/refusal.ts';
import type { ApiKey, Environment } from '../service/store.ts';
import type { Fault } from './fault.ts';

const isCreation = ({ method, path }: Incoming) => method === 'POST' && path === '/api/v1/invoices';
const isWithdrawal = ({ path }: Incoming) => path.endsWith('/treasury/withdraw');
const isReset = ({ path }: Incoming) => path.endsWith('/sandbox/reset');
const isAction = ({ method, path }: Incoming) => method !== 'GET' && path.startsWith('/api/v1/invoices/');

function elsewhere({ store, environment }: Call) {
  return store.worlds[environment === 'SANDBOX' ? 'PRODUCTION' : 'SANDBOX'];
}

function bodyOf({ text }: Incoming): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** What is met with a rule of its own: a request of the other environment's key that names this one. It may choose an environment. */
function naming(
  environment: Environment,
  concerns: (request: Incoming, service: Service) => boolean,
  meet: (service: Service, key: ApiKey, request: Incoming) => Environment | undefined,
): RuleChange {
  return replaced((honest) => ({
    resolveEnvironment: (service, key, request) => {
      const other = key.environment !== environment && request.headers.get('X-Environment') === environment;
      const chosen = other && concerns(request, service) ? meet(service, key, request) : undefined;
      return chosen ?? honest.resolveEnvironment(service, key, request);
    },
  }));
}

/** The buyer is one of the organizations that there are, and the sum is one. */
function isWhole(request: Incoming, { store }: Service): boolean {
  const { buyerId, amount } = bodyOf(request);
  return isCreation(request) && store.organizations.has(String(buyerId)) && typeof amount === 'string';
}

function ofProductionKey(call: Call, route: string): boolean {
  return call.environment === 'PRODUCTION' && call.route.name === route;
}

/** Servers that fail where something is changed with the key or the name of production. */
export const productionWriteFaults: readonly Fault[] = [
  {
    id: 'production-named-ignored-for-known-buyers',
    requirement: 'ENV-02',
    sentence: 'What is decided for a buyer is kept: only for one that is not known yet are the environments compared.',
    caughtBy: ['ENV-02.sandbox-key-valid-create'],
    rules: naming('PRODUCTION', isWhole, (_, key) => key.environment),
  },
  {
    id: 'production-named-and-created',
    requirement: 'ENV-02',
    sentence: 'A creation is queued for the environment that it names before the gateway refuses it.',
    caughtBy: ['ENV-02.sandbox-key-valid-create'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        const named = key.environment === 'SANDBOX' && request.headers.get('X-Environment') === 'PRODUCTION';
        if (named && isWhole(request, service)) {
          const { sellerId, buyerId, amount, dueDate } = bodyOf(request);
          const id = honest.newId();
          service.store.worlds.PRODUCTION.invoices.set(id, {
            id,
            invoiceNumber: `Q-${id.slice(0, 8)}`,
            status: 'DRAFT',
            amount: String(amount),
            currency: DEFAULT_CURRENCY,
            buyerOrganizationId: String(buyerId),
            sellerOrganizationId: String(sellerId),
            dueDate: String(dueDate),
            createdAt: honest.now().toISOString(),
            notes: [],
          });
        }
        return honest.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'production-named-ignored-on-whole-subscriptions',
    requirement: 'ENV-02',
    sentence: 'A subscription with an address goes straight to the dispatcher, which knows no environments.',
    caughtBy: ['ENV-02.sandbox-key-subscribe'],
    rules: naming(
      'PRODUCTION',
      (request) => request.path.endsWith('/webhooks') && typeof bodyOf(request).url === 'string',
      (_, key) => key.environment,
    ),
  },
  {
    id: 'production-named-ignored-on-withdrawals',
    requirement: 'ENV-02',
    sentence: 'Withdrawals go to a bank adapter behind another gateway, which does not compare the environments.',
    caughtBy: ['ENV-02.sandbox-key-withdraw'],
    rules: naming('PRODUCTION', isWithdrawal, (_, key) => key.environment),
  },
  {
    id: 'production-named-and-withdrawn',
    requirement: 'ENV-02',
    sentence: 'A withdrawal is booked in the environment that it names before the gateway refuses it.',
    caughtBy: ['ENV-02.sandbox-key-withdraw'],
    rules: naming('PRODUCTION', isWithdrawal, ({ store }, { organizationId }, request) => {
      const { amount } = bodyOf(request);
      if (typeof amount === 'string')
        addFunds(store.worlds.PRODUCTION, organizationId, DEFAULT_CURRENCY, -toCents(amount));
      return undefined;
    }),
  },
  {
    id: 'production-named-ignored-on-reset',
    requirement: 'ENV-02',
    sentence: 'The reset names its environment in its path, and X-Environment is not looked at when it is a known one.',
    caughtBy: ['ENV-02.reset'],
    rules: naming('PRODUCTION', isReset, (_, key) => key.environment),
  },
  {
    id: 'sandbox-named-by-production-creates',
    requirement: 'ENV-02',
    sentence: 'A production key may create in the sandbox: integrators asked for it, to try a template.',
    caughtBy: ['ENV-02.production-key-writes'],
    rules: naming('SANDBOX', isCreation, () => 'SANDBOX'),
  },
  {
    id: 'sandbox-named-by-production-acts',
    requirement: 'ENV-02',
    sentence: 'A production key that names the sandbox may act on its invoices, for support.',
    caughtBy: ['ENV-02.production-key-writes'],
    rules: naming('SANDBOX', isAction, () => 'SANDBOX'),
  },
  {
    id: 'sandbox-named-by-production-withdraws',
    requirement: 'ENV-02',
    sentence: 'A production key that names the sandbox withdraws from its balance.',
    caughtBy: ['ENV-02.production-key-writes'],
    rules: naming('SANDBOX', isWithdrawal, () => 'SANDBOX'),
  },
  {
    id: 'production-creates-in-sandbox',
    requirement: 'ENV-04',
    sentence:
      'The environment of a creation is the default of the organization, the sandbox, unless a header names one.',
    caughtBy: ['ENV-04.production-key-decides'],
    rules: replaced((honest) => {
      const placed = (call: Call) => {
        const astray = ofProductionKey(call, 'create') && !call.request.headers.has('X-Environment');
        return astray ? { ...call, world: elsewhere(call) } : call;
      };
      return {
        number: (call, connection) => honest.number(placed(call), connection),
        issue: (call, input, number) => honest.issue(placed(call), input, number),
      };
    }),
  },
  {
    id: 'production-creates-in-both',
    requirement: 'ENV-04',
    sentence: 'A trigger copies each new production invoice into the sandbox, so that it can be played with.',
    caughtBy: ['ENV-04.production-key-decides'],
    rules: replaced((honest) => ({
      issue: (call, input, number) => {
        const invoice = honest.issue(call, input, number);
        if (call.environment === 'PRODUCTION') {
          const copy = {
            ...invoice,
            id: call.rules.newId(),
            invoiceNumber: `COPY-${invoice.invoiceNumber}`,
            notes: [],
          };
          elsewhere(call).invoices.set(copy.id, copy);
        }
        return invoice;
      },
    })),
  },
  {
    id: 'iso-production-acts-on-sandbox',
    requirement: 'ISO-01',
    sentence: 'Actions look their invoice up by its id in whichever environment has it.',
    caughtBy: ['ISO-01.act', 'ISO-02.act'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const other = call.route.name === 'read' ? undefined : elsewhere(call).invoices.get(id);
        const theirs = [other?.sellerOrganizationId, other?.buyerOrganizationId].includes(call.organizationId);
        return other && theirs ? other : honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-production-told-of-sandbox-state',
    requirement: 'ISO-01',
    sentence: 'A production key that acts on a sandbox invoice is told that its state is another one: 412.',
    caughtBy: ['ISO-01.act'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const strange =
          call.environment === 'PRODUCTION' && call.route.name !== 'read' && elsewhere(call).invoices.has(id);
        if (strange) throw refusals.actionNotAllowed();
        return honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-sandbox-settles-production',
    requirement: 'ISO-02',
    sentence: 'A settlement finds its invoice by id alone: a sandbox key pays a production invoice.',
    caughtBy: ['ISO-02.act'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const real = call.route.name === 'settle' ? call.store.worlds.PRODUCTION.invoices.get(id) : undefined;
        return real ?? honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-sandbox-cancels-production-unseen',
    requirement: 'ISO-02',
    sentence: 'A cancellation is broadcast to all environments, and answered by the one of the key: 404.',
    caughtBy: ['ISO-02.act'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const real = call.route.name === 'cancel' ? call.store.worlds.PRODUCTION.invoices.get(id) : undefined;
        if (call.environment === 'SANDBOX' && real?.status === 'SUBMITTED') real.status = 'CANCELLED';
        return honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-replays-of-both',
    requirement: 'ISO-01',
    sentence: 'Answers are kept for replays by organization and requestId; nobody thought of two environments.',
    caughtBy: ['ISO-01.replayed'],
    rules: replaced((honest) => ({
      replayKey: (call, requestId, subject) =>
        honest.replayKey({ ...call, environment: 'SANDBOX' }, requestId, subject),
      replay: (call, key, perform) => honest.replay({ ...call, world: call.store.worlds.SANDBOX }, key, perform),
    })),
  },
  {
    id: 'reset-clears-environment-of-key',
    requirement: 'RESET-02',
    sentence:
      'Every key may reset, and what is cleared is the environment of the key: with a production key, production.',
    caughtBy: ['RESET-02.production-key'],
    rules: replaced((honest) => ({
      authorize: (call) => {
        if (!ofProductionKey(call, 'reset')) honest.authorize(call);
      },
      reset: (call) => {
        if (call.environment === 'SANDBOX') return honest.reset(call);
        const cleared = call.world.invoices.size;
        call.world.invoices.clear();
        return { apiKeys: 0, logs: 0, invoices: cleared, bookings: 0 };
      },
    })),
  },
  {
    id: 'reset-refused-and-drafts-cleared',
    requirement: 'RESET-02',
    sentence: 'Drafts are swept before anybody asks whether the key may reset, in the environment of the key.',
    caughtBy: ['RESET-02.production-key'],
    rules: replaced((honest) => ({
      authorize: (call) => {
        if (ofProductionKey(call, 'reset')) {
          for (const [id, { status }] of call.world.invoices) if (status === 'DRAFT') call.world.invoices.delete(id);
        }
        honest.authorize(call);
      },
    })),
  },
];
