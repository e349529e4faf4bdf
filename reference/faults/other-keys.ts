import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Incoming } from '../service/call.ts';
import { Refusal } from '../service/refusal.ts';
import type { Answer, ApiKey } from '../service/store.ts';
import type { Fault } from './fault.ts';
import { paged } from './support/rewrite-page.ts';

const mayOnlyRead = ({ scopes }: ApiKey) => !scopes.includes('write');
const named = ({ headers }: Incoming) => headers.get('X-Environment');

/** The header counts for nothing where a request is such. */
function unread(when: (key: ApiKey, request: Incoming) => boolean): RuleChange {
  return replaced((honest) => ({
    resolveEnvironment: (service, key, request) =>
      when(key, request) ? key.environment : honest.resolveEnvironment(service, key, request),
  }));
}

/** Naming the key's own environment is refused where a request is such. */
function ownRefused(when: (key: ApiKey, request: Incoming) => boolean): RuleChange {
  return replaced((honest) => ({
    resolveEnvironment: (service, key, request) => {
      if (named(request) === key.environment && when(key, request)) {
        throw new Refusal(403, 'GW_ENVIRONMENT_KEY_MISMATCH', 'The key is of another environment');
      }
      return honest.resolveEnvironment(service, key, request);
    },
  }));
}

const requestIdIn = (text: string) => /"requestId"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? '';

/** The store of answers stands in front of one of the gates: whose requestId is known is let through. */
function knownLetThrough(gate: 'authenticate' | 'resolveEnvironment' | 'authorize', where = /./): RuleChange {
  return replaced((honest) => {
    const answered = new Map<string, ApiKey>();
    const open = (request: Incoming) =>
      request.path === '/api/v1/invoices' || !where.test(request.path)
        ? undefined
        : answered.get(requestIdIn(request.text));
    const gates = {
      authenticate: (...[service, request]: Parameters<typeof honest.authenticate>) =>
        open(request) ?? honest.authenticate(service, request),
      resolveEnvironment: (...[service, key, request]: Parameters<typeof honest.resolveEnvironment>) =>
        open(request)?.environment ?? honest.resolveEnvironment(service, key, request),
      authorize: (call: Parameters<typeof honest.authorize>[0]) => {
        if (!open(call.request)) honest.authorize(call);
      },
    };
    return {
      [gate]: gates[gate],
      replay: async (call, key, perform) => {
        const answer = await honest.replay(call, key, perform);
        const requestId = requestIdIn(call.request.text);
        if (requestId !== '') answered.set(requestId, call.key);
        return answer;
      },
    };
  });
}

/** What only shows with another key than the seller's, or with what that one was answered. */
export const otherKeyFaults: readonly Fault[] = [
  {
    id: 'env-reader-unchecked',
    requirement: 'ENV-01',
    sentence: 'Keys that only read come through the cache, which does not know the header.',
    caughtBy: ['ENV-01.every-key'],
    rules: unread((key, request) => mayOnlyRead(key) && named(request) === 'STAGING'),
  },
  {
    id: 'env-reader-not-compared',
    requirement: 'ENV-02',
    sentence: 'The environment is compared where a key may write.',
    caughtBy: ['ENV-02.every-key'],
    rules: unread((key, request) => mayOnlyRead(key) && named(request) === 'PRODUCTION'),
  },
  {
    id: 'env-reader-own-refused',
    requirement: 'ENV-03',
    sentence:
      'X-Environment is for the dashboard, whose keys may write; from others it is refused, even when it is right.',
    caughtBy: ['ENV-03.every-key'],
    rules: ownRefused(mayOnlyRead),
  },
  {
    id: 'env-webhook-own-refused',
    requirement: 'ENV-03',
    sentence: 'The settings service has a gateway of its own, which refuses the header altogether.',
    caughtBy: ['ENV-03.webhook-create'],
    rules: ownRefused((_, { path }) => path.endsWith('/webhooks')),
  },
  {
    id: 'env-withdrawal-own-refused',
    requirement: 'ENV-03',
    sentence: 'Withdrawals are for production: whoever names SANDBOX is refused.',
    caughtBy: ['ENV-03.treasury-withdraw'],
    rules: ownRefused((_, { path }) => path.endsWith('/withdraw')),
  },
  {
    id: 'auth-replay-before-gate',
    requirement: 'AUTH-07',
    sentence: 'What was answered once is answered by the cache in front, which asks nobody for credentials.',
    caughtBy: ['AUTH-07.replayed'],
    rules: knownLetThrough('authenticate'),
  },
  {
    id: 'auth-balance-replay-before-gate',
    requirement: 'AUTH-07',
    sentence: 'A balance that was answered once is answered by the cache in front, which asks nobody for credentials.',
    caughtBy: ['AUTH-07.replayed'],
    rules: knownLetThrough('authenticate', /balance$/),
  },
  {
    id: 'auth-replay-to-revoked',
    requirement: 'AUTH-07',
    sentence: 'The cache in front compares key and secret itself, and knows nothing of what was revoked since.',
    caughtBy: ['AUTH-07.replayed'],
    rules: replaced((honest) => {
      const answered = new Map<string, ApiKey>();
      return {
        authenticate: (service, request) => {
          const id = `${request.path} ${requestIdIn(request.text)}`;
          const given = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
          const first = answered.get(id);
          if (first && given?.state === 'revoked' && given.secret === request.headers.get('X-API-Secret')) return first;
          const key = honest.authenticate(service, request);
          if (requestIdIn(request.text) !== '' && !answered.has(id)) answered.set(id, key);
          return key;
        },
      };
    }),
  },
  {
    id: 'env-replay-before-gate',
    requirement: 'ENV-01',
    sentence: 'What was answered once is answered before the header is looked at.',
    caughtBy: ['ENV-01.replayed'],
    rules: knownLetThrough('resolveEnvironment'),
  },
  {
    id: 'perm-replay-before-gate',
    requirement: 'PERM-03',
    sentence: 'What was answered once is answered to every key of the organization, whatever it may do.',
    caughtBy: ['PERM-03.replayed'],
    rules: knownLetThrough('authorize'),
  },
  {
    id: 'list-reader-total-of-page',
    requirement: 'LIST-02',
    sentence: 'For keys that only read the total is not counted: it is the number of records on the page.',
    caughtBy: ['LIST-02.every-key', 'LIST-03.total-pages'],
    rules: paged((page, { key }) => (mayOnlyRead(key) ? { total: page.items.length } : {})),
  },
  {
    id: 'list-reader-total-of-later-page',
    requirement: 'LIST-02',
    sentence:
      'For keys that only read the total is counted with the first page; behind it, it is the number of records there.',
    caughtBy: ['LIST-02.every-key', 'LIST-03.total-pages'],
    wholeRun: true,
    rules: paged((page, { key }) => (mayOnlyRead(key) && page.page > 0 ? { total: page.items.length } : {})),
  },
  {
    id: 'list-reader-total-by-order',
    requirement: 'LIST-02',
    sentence: 'Where keys that only read sort by amount, the index is counted, which holds one entry that nobody sees.',
    caughtBy: ['LIST-02.every-key', 'LIST-03.total-pages'],
    rules: paged((page, { key, request }) =>
      mayOnlyRead(key) && request.query.get('sortBy') === 'amount' ? { total: page.total + 1 } : {},
    ),
  },
  {
    id: 'list-buyer-by-creation-only',
    requirement: 'LIST-06',
    sentence:
      'The received invoices come from a view of their own, which is sorted by createdAt whatever is asked for.',
    caughtBy: ['LIST-06.every-key'],
    alongside: ['LIST-09.every-state'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) =>
        invoices.some(({ buyerOrganizationId }) => buyerOrganizationId === call.organizationId)
          ? honest.sort(call, invoices, { ...query, sortBy: 'createdAt' })
          : honest.sort(call, invoices, query),
    })),
  },
  {
    id: 'list-reader-oldest-first',
    requirement: 'LIST-06',
    sentence: 'The read replica has an index in one direction only.',
    caughtBy: ['LIST-06.every-key'],
    rules: replaced((honest) => ({
      sort: (call, invoices, query) =>
        honest.sort(call, invoices, mayOnlyRead(call.key) ? { ...query, sortOrder: 'asc' } : query),
    })),
  },
  {
    id: 'list-later-pages-turned',
    requirement: 'LIST-06',
    sentence: 'Later pages are fetched backwards from a cursor, and not turned round again.',
    caughtBy: ['LIST-06.pages'],
    alongside: ['REC-11.simultaneous'],
    rules: paged(({ page, items }) => (page > 0 ? { items: [...items].reverse() } : {})),
  },
  {
    id: 'rec-reader-first-sight',
    requirement: 'REC-15',
    sentence: 'Keys that only read get what the cache took in first, and nothing ever leaves it.',
    caughtBy: ['REC-15.after-transition'],
    rules: replaced((honest) => {
      const seen = new Map<string, Answer>();
      return {
        renderRead: (call, invoice) => {
          const answer = (mayOnlyRead(call.key) && seen.get(invoice.id)) || honest.renderRead(call, invoice);
          if (mayOnlyRead(call.key)) seen.set(invoice.id, answer);
          return answer;
        },
      };
    }),
  },
];
