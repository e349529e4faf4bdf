import { setTimeout as pause } from 'node:timers/promises';
import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import { addFunds } from '../../rules/money/funds.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';

const json = (body: unknown, { status, headers }: Response) => new Response(JSON.stringify(body), { status, headers });

async function bodyOf(response: Response): Promise<Record<string, unknown> | null> {
  const text = await response.clone().text();
  return text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
}

const INSTALMENTS = [1, 2, 3, 4, 5, 6, 7, 8];
const INSTALMENT_EVERY_MS = 230;
const INSTALMENT_CENTS = 7n;

/** How long a sender that delivers one webhook after another takes for each. */
const DELIVERY_TIME_MS = 50;

/** The balance of the party that withdraws. */
export function buyerIsTreasurer(target: BoundTargetInput): BoundTargetInput {
  const { treasuryWithdraw, ...others } = target.operations ?? {};
  if (!treasuryWithdraw) return target;
  return { ...target, operations: { ...others, treasuryWithdraw: { ...treasuryWithdraw, actor: 'buyer' } } };
}

export const serviceVariations: readonly Variation[] = [
  {
    id: 'content-type-charset',
    openPoint: 'OP-88',
    choice: 'charset=utf-8',
    rewrite: (_request, response) => {
      if (response.headers.has('Content-Type')) {
        const headers = new Headers(response.headers);
        headers.set('Content-Type', 'application/json; charset=utf-8');
        return new Response(response.body, { status: response.status, headers });
      }
      return response;
    },
  },
  {
    id: 'members-in-any-order',
    openPoint: 'OP-89',
    choice: 'members in another order in each response',
    rewrite: async (_request, response) => {
      const body = Math.random() < 0.5 ? await bodyOf(response) : null;
      return body ? json(Object.fromEntries(Object.entries(body).reverse()), response) : response;
    },
  },
  {
    id: 'errors-with-more',
    openPoint: 'OP-83',
    choice: 'a trace id, the time, the path and details',
    rewrite: async (request, response) => {
      if (response.status < 400 || response.status === 401 || response.body === null) return response;
      const more = { traceId: Math.random().toString(36).slice(2), timestamp: new Date().toISOString() };
      return json({ ...(await bodyOf(response)), ...more, path: new URL(request.url).pathname, details: [] }, response);
    },
  },
  {
    id: 'production-undeployed-first',
    openPoint: 'OP-79',
    choice: 'no, and every key with the production prefix gets this 503 before it is looked up',
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        if (request.headers.get('X-API-Key')?.startsWith('svc_prod_')) throw rejections.environmentUnavailable();
        return base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'production-undeployed',
    openPoint: 'OP-79',
    choice: 'no, 503 GW_ENVIRONMENT_UNAVAILABLE',
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        const environment = base.resolveEnvironment(service, key, request);
        if (environment === 'PRODUCTION') throw rejections.environmentUnavailable();
        return environment;
      },
    })),
  },
  {
    id: 'empty-environment-header-absent',
    openPoint: 'OP-78',
    choice: 'yes',
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        const headers = new Headers(request.headers);
        if (headers.get('X-Environment') === '') headers.delete('X-Environment');
        return base.resolveEnvironment(service, key, { ...request, headers });
      },
    })),
  },
  {
    id: 'malformed-id-400',
    openPoint: 'OP-82',
    choice: 'yes, 400',
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        if (!/^[0-9a-f-]{36}$/i.test(id)) throw rejections.invalidRequest('id: not a UUID');
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'replay-flagged',
    openPoint: 'OP-93',
    choice: 'by a header, Idempotent-Replayed',
    rules: overrideRules((base) => ({
      replay: async (call, key, perform) => {
        let original = false;
        const answer = await base.replay(call, key, () => {
          original = true;
          return perform();
        });
        return original ? answer : { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
      },
    })),
  },
  {
    id: 'replay-other-body-409',
    openPoint: 'OP-94',
    choice: '409',
    rules: overrideRules((base) => {
      const bodies = new Map<string, string>();
      return {
        replay: async (call, key, perform) => {
          const body = JSON.stringify(call.body);
          if (key !== undefined && (bodies.get(key) ?? body) !== body) {
            throw new RejectionError(409, 'REQ409', 'The requestId was used with another body');
          }
          const answer = await base.replay(call, key, perform);
          if (key !== undefined) bodies.set(key, body);
          return answer;
        },
      };
    }),
  },
  {
    id: 'outsider-may-only-read',
    openPoint: 'OP-80',
    choice: "the third organization's key may change nothing",
    rules: overrideRules((base) => ({
      authorize: (call) => {
        base.authorize(call);
        const connected = call.world.connections.filter(({ organizationIds: [one] }) => one === call.organizationId);
        const isOutsider =
          connected.length === 1 &&
          call.route.scope === 'write' &&
          !call.world.connections[0]?.organizationIds.includes(call.organizationId);
        if (isOutsider) throw rejections.lacksPermission();
      },
    })),
  },
  {
    id: 'reader-may-not-list',
    openPoint: 'OP-80',
    choice: 'the read-only key may not even list',
    rules: overrideRules((base) => ({
      authorize: (call) => {
        if (!call.key.scopes.includes('write')) throw rejections.lacksPermission();
        base.authorize(call);
      },
    })),
  },
  {
    id: 'foreign-seller-403',
    openPoint: 'OP-42',
    choice: '403',
    rules: overrideRules((base) => ({
      findConnection: (call, input) => {
        if (call.organizationId !== input.sellerId) throw rejections.wrongParty();
        return base.findConnection(call, input);
      },
    })),
  },
  {
    id: 'rate-limited',
    openPoint: 'OP-108',
    choice: 'a 429 from time to time',
    isSlow: true,
    rules: overrideRules(() => {
      let count = 0;
      return {
        throttle: () => {
          count += 1;
          if (count % 450 === 0)
            throw new RejectionError(429, 'RATE001', 'Too many requests', undefined, { 'X-RateLimit-Reset': '1' });
        },
      };
    }),
  },
  {
    id: 'sometimes-unavailable',
    openPoint: 'OP-110',
    choice: 'a 503 from time to time before anything was done',
    rules: overrideRules(() => {
      let count = 0;
      return {
        throttle: () => {
          count += 1;
          if (count % 450 === 0) throw new RejectionError(503, 'SRV503', 'Temporarily unavailable');
        },
      };
    }),
  },
  {
    id: 'slow-responses',
    openPoint: 'OP-111',
    choice: '20 to 60 milliseconds, in any order',
    isSlow: true,
    rewrite: async (_request, response) => {
      await pause(20 + Math.random() * 40);
      return response;
    },
  },
  {
    id: 'webhooks-https-only',
    openPoint: 'OP-63',
    choice: 'https only',
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        const input = base.validateSubscription(call);
        if (!input.url.startsWith('https:')) throw rejections.invalidRequest('url: https only');
        return input;
      },
    })),
  },
  {
    id: 'webhook-200-wrapped',
    openPoint: 'OP-62',
    choice: '200 with it in data',
    rules: overrideRules(() => ({
      renderSubscription: (_call, { id, url }) => ({ status: 200, body: { data: { id, url } } }),
    })),
  },
  {
    id: 'webhook-204',
    openPoint: 'OP-62',
    choice: '204',
    rules: overrideRules(() => ({ renderSubscription: () => ({ status: 204 }) })),
  },
  {
    id: 'webhook-delivered-twice',
    openPoint: 'OP-66',
    choice: 'twice and late',
    rules: overrideRules((base) => ({
      deliver: (service, subscription, event) => {
        for (const wait of [120, 200]) {
          service.background.schedule(wait, () => base.deliver(service, subscription, event));
        }
      },
    })),
  },
  {
    id: 'webhook-one-at-a-time',
    openPoint: 'OP-66',
    choice: 'one after another',
    rules: overrideRules((base) => {
      let queueEnds = 0;
      return {
        deliver: (service, subscription, event) => {
          const now = performance.now();
          queueEnds = Math.max(now, queueEnds) + DELIVERY_TIME_MS;
          service.background.schedule(queueEnds - now, () => base.deliver(service, subscription, event));
        },
      };
    }),
  },
  {
    id: 'webhook-secret-required',
    openPoint: 'OP-64',
    choice: 'all three',
    rules: overrideRules((base) => ({
      validateSubscription: (call) => {
        if (call.body.signingSecret === undefined) throw rejections.invalidRequest('signingSecret: required');
        return base.validateSubscription(call);
      },
    })),
  },
  {
    id: 'buyer-is-treasurer',
    openPoint: 'OP-118',
    choice: "the buyer's",
    target: buyerIsTreasurer,
  },
  {
    id: 'withdrawal-202',
    openPoint: 'OP-105',
    choice: '202 with only a reference',
    rules: overrideRules(() => ({ renderWithdrawal: (_call, { id }) => ({ status: 202, body: { reference: id } }) })),
  },
  {
    id: 'balance-as-numbers',
    openPoint: 'OP-102',
    choice: 'a list of accounts with numbers',
    rules: overrideRules(() => ({
      renderBalance: (_call, cents) => ({
        status: 200,
        body: {
          accounts: [{ currency: 'EUR', available: Number(cents) / 100, reserved: 0 }],
          asOf: new Date().toISOString(),
        },
      }),
    })),
  },
  {
    id: 'balance-in-cents',
    openPoint: 'OP-102',
    choice: 'a number of cents',
    rules: overrideRules(() => ({
      renderBalance: (_call, cents) => ({ status: 200, body: { currency: 'EUR', minorUnits: Number(cents) } }),
    })),
  },
  {
    id: 'commission-in-instalments',
    openPoint: 'OP-116',
    choice: 'a commission, in instalments over the seconds that follow',
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        base.settle(call, invoice);
        const { sellerOrganizationId, currency } = invoice;
        for (const each of INSTALMENTS) {
          const due = () => addFunds(call.world, sellerOrganizationId, currency, -INSTALMENT_CENTS);
          call.background.schedule(each * INSTALMENT_EVERY_MS, due);
        }
      },
    })),
  },
  {
    id: 'withdrawals-rejected',
    openPoint: 'OP-106',
    choice: 'no, 412 TREAS007 to every withdrawal',
    rules: overrideRules(() => ({
      withdraw: () => {
        throw new RejectionError(412, 'TREAS007', 'Not enough funds to complete the payment');
      },
    })),
  },
  {
    id: 'reset-204',
    openPoint: 'OP-71',
    choice: '204',
    rules: overrideRules(() => ({ renderReset: () => ({ status: 204 }) })),
  },
  {
    id: 'reset-of-the-whole-sandbox',
    openPoint: 'OP-73',
    choice: 'that of all organizations',
    rules: overrideRules((base) => ({
      reset: (call) => {
        const cleared = base.reset(call);
        for (const key of call.store.keys.values()) if (key.environment === 'SANDBOX') key.state = 'revoked';
        call.store.worlds.SANDBOX.invoices.clear();
        return cleared;
      },
    })),
  },
  {
    id: 'reset-by-production-key',
    openPoint: 'OP-75',
    choice: 'yes',
    rules: overrideRules((base) => ({
      authorize: (call) => {
        if (call.route.name !== 'reset') base.authorize(call);
        else if (!call.key.scopes.includes(call.route.scope)) throw rejections.lacksPermission();
      },
    })),
  },
  {
    id: 'headers-and-queries-capped',
    openPoint: 'OP-124',
    choice: '2 KiB, with 431 and 414 for longer ones',
    rules: overrideRules((base) => ({
      throttle: (service, key, request) => {
        const isLong = (value: string) => value.length > 2 * 1024;
        if ([...request.headers.values()].some(isLong)) throw new RejectionError(431, 'REQ431', 'A header is too long');
        if (isLong(request.query.toString())) throw new RejectionError(414, 'REQ414', 'The query is too long');
        base.throttle(service, key, request);
      },
    })),
  },
];
