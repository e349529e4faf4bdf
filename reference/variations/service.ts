import { setTimeout as pause } from 'node:timers/promises';
import { Refusal, refusals } from '../refusal.ts';
import { replaced } from './replaced.ts';
import type { Variation } from './variation.ts';

const json = (body: unknown, { status, headers }: Response) => new Response(JSON.stringify(body), { status, headers });

async function bodyOf(response: Response): Promise<Record<string, unknown> | null> {
  const text = await response.clone().text();
  return text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
}

export const serviceVariations: readonly Variation[] = [
  {
    id: 'content-type-charset',
    openPoint: 'Parameters of the media type are not forbidden: charset=utf-8.',
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
    openPoint: 'The order of members is the serializer’s business: reversed in every second answer.',
    rewrite: async (_request, response) => {
      const body = Math.random() < 0.5 ? await bodyOf(response) : null;
      return body ? json(Object.fromEntries(Object.entries(body).reverse()), response) : response;
    },
  },
  {
    id: 'errors-with-more',
    openPoint: 'Further members of an error are not forbidden: a trace id, the time, and details.',
    rewrite: async (request, response) => {
      if (response.status < 400 || response.status === 401) return response;
      const more = { traceId: Math.random().toString(36).slice(2), timestamp: new Date().toISOString() };
      return json({ ...(await bodyOf(response)), ...more, path: new URL(request.url).pathname, details: [] }, response);
    },
  },
  {
    id: 'production-undeployed',
    openPoint: 'Production may have no instances: 503 GW_ENVIRONMENT_UNAVAILABLE.',
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        const environment = honest.resolveEnvironment(service, key, request);
        if (environment === 'PRODUCTION') throw refusals.environmentUnavailable();
        return environment;
      },
    })),
  },
  {
    id: 'empty-environment-header-absent',
    openPoint: 'Whether an empty X-Environment counts as absent is not shown: it does.',
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        const headers = new Headers(request.headers);
        if (headers.get('X-Environment') === '') headers.delete('X-Environment');
        return honest.resolveEnvironment(service, key, { ...request, headers });
      },
    })),
  },
  {
    id: 'malformed-id-400',
    openPoint: 'Whether an id of impossible form is an invalid request is not shown: 400.',
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        if (!/^[0-9a-f-]{36}$/i.test(id)) throw refusals.invalidRequest('id: not a UUID');
        return honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'replay-flagged',
    openPoint: 'Headers of a replayed answer are not shown: Idempotent-Replayed.',
    rules: replaced((honest) => ({
      replay: async (call, key, perform) => {
        let original = false;
        const answer = await honest.replay(call, key, () => {
          original = true;
          return perform();
        });
        return original ? answer : { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
      },
    })),
  },
  {
    id: 'replay-other-body-409',
    openPoint: 'What a repeated requestId gets with a different body is not shown: 409, and no new invoice.',
    rules: replaced((honest) => {
      const bodies = new Map<string, string>();
      return {
        replay: async (call, key, perform) => {
          const body = JSON.stringify(call.body);
          if (key !== undefined && (bodies.get(key) ?? body) !== body) {
            throw new Refusal(409, 'REQ409', 'The requestId was used with another body');
          }
          const answer = await honest.replay(call, key, perform);
          if (key !== undefined) bodies.set(key, body);
          return answer;
        },
      };
    }),
  },
  {
    id: 'outsider-may-only-read',
    openPoint: 'The set of permission scopes is not shown: the third organization’s key may change nothing.',
    rules: replaced((honest) => ({
      authorize: (call) => {
        honest.authorize(call);
        const connected = call.world.connections.filter(({ organizationIds: [one] }) => one === call.organizationId);
        const isOutsider =
          connected.length === 1 &&
          call.route.scope === 'write' &&
          !call.world.connections[0]?.organizationIds.includes(call.organizationId);
        if (isOutsider) throw refusals.lacksPermission();
      },
    })),
  },
  {
    id: 'reader-may-not-list',
    openPoint: 'Which endpoint needs which scope is not shown: the read-only key may not even list.',
    rules: replaced((honest) => ({
      authorize: (call) => {
        if (!call.key.scopes.includes('write')) throw refusals.lacksPermission();
        honest.authorize(call);
      },
    })),
  },
  {
    id: 'foreign-seller-403',
    openPoint: 'How an invoice in another’s name is refused is not shown: 403.',
    rules: replaced((honest) => ({
      connect: (call, input) => {
        if (call.organizationId !== input.sellerId) throw refusals.wrongParty();
        return honest.connect(call, input);
      },
    })),
  },
  {
    id: 'rate-limited',
    openPoint: 'Quota and window are not shown: now and then a 429 with X-RateLimit-Reset in seconds.',
    rules: replaced(() => {
      let count = 0;
      return {
        throttle: () => {
          count += 1;
          if (count % 450 === 0)
            throw new Refusal(429, 'RATE001', 'Too many requests', undefined, { 'X-RateLimit-Reset': '1' });
        },
      };
    }),
  },
  {
    id: 'sometimes-unavailable',
    openPoint: '503 is temporary: a request is told so before anything was done.',
    rules: replaced(() => {
      let count = 0;
      return {
        throttle: () => {
          count += 1;
          if (count % 450 === 0) throw new Refusal(503, 'SRV503', 'Temporarily unavailable');
        },
      };
    }),
  },
  {
    id: 'slow',
    openPoint: 'How fast the service answers is not given: 20 to 60 milliseconds, in any order.',
    rewrite: async (_request, response) => {
      await pause(20 + Math.random() * 40);
      return response;
    },
  },
  {
    id: 'webhooks-https-only',
    openPoint: 'Which URLs a subscription may have is not shown: https only.',
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        const input = honest.validateSubscription(call);
        if (!input.url.startsWith('https:')) throw refusals.invalidRequest('url: https only');
        return input;
      },
    })),
  },
  {
    id: 'webhook-200-wrapped',
    openPoint: 'The answer to a subscription is not shown: 200, in data.',
    rules: replaced(() => ({
      renderSubscription: (_call, { id, url }) => ({ status: 200, body: { data: { id, url } } }),
    })),
  },
  {
    id: 'webhook-204',
    openPoint: 'The answer to a subscription is not shown: 204.',
    rules: replaced(() => ({ renderSubscription: () => ({ status: 204 }) })),
  },
  {
    id: 'webhook-delivered-twice',
    openPoint: 'Retry and ordering rules of delivery are not shown: every event arrives twice, and late.',
    rules: replaced((honest) => ({
      deliver: (service, subscription, event) => {
        for (const wait of [120, 200]) {
          service.background.later(wait, () => honest.deliver(service, subscription, event));
        }
      },
    })),
  },
  {
    id: 'webhook-secret-required',
    openPoint: 'Which fields of a subscription are required is not shown: all of them.',
    rules: replaced((honest) => ({
      validateSubscription: (call) => {
        if (call.body.signingSecret === undefined) throw refusals.invalidRequest('signingSecret: required');
        return honest.validateSubscription(call);
      },
    })),
  },
  {
    id: 'withdrawal-202',
    openPoint: 'The answer to a withdrawal is not shown: 202 with a reference alone.',
    rules: replaced(() => ({ renderWithdrawal: (_call, { id }) => ({ status: 202, body: { reference: id } }) })),
  },
  {
    id: 'balance-as-numbers',
    openPoint: 'Fields of the balance are not shown: a list of accounts with numbers.',
    rules: replaced(() => ({
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
    id: 'withdrawals-refused',
    openPoint: 'Behaviour of withdrawals is not shown: a sandbox has no bank, and refuses them.',
    rules: replaced(() => ({
      withdraw: () => {
        throw new Refusal(412, 'TREAS007', 'Not enough funds to complete the payment');
      },
    })),
  },
  {
    id: 'reset-204',
    openPoint: 'The answer of the reset is not shown: 204.',
    rules: replaced(() => ({ renderReset: () => ({ status: 204 }) })),
  },
  {
    id: 'reset-of-the-whole-sandbox',
    openPoint: 'Whose sandbox data a reset clears is not shown: everybody’s.',
    rules: replaced((honest) => ({
      reset: (call) => {
        const cleared = honest.reset(call);
        for (const key of call.store.keys.values()) if (key.environment === 'SANDBOX') key.state = 'revoked';
        call.world.invoices.clear();
        return cleared;
      },
    })),
  },
];
