import type { ActorName, Fixtures } from './fixtures.ts';

/** A target file's content, in the form that specs/schemas/target.schema.json describes. */
export interface ReferenceTarget {
  name: string;
  baseUrl: string;
  implementation: { vendor: string; product: string; version: string };
  actors: Record<ActorName, { key: string; secret: string; organizationId: string }>;
  counterparties: { unconnected: string; suspended: string };
  operations: Record<TargetOperation, OperationTemplate>;
  limits: { concurrency: number; requestsPerSecond: 'none'; requestTimeoutMs: number; settleWithinMs: number };
  allow: { reset: boolean; rateLimitProbe: boolean; productionWrites: boolean };
  webhooks: { listen: string };
}

export type TargetOperation =
  | 'read'
  | 'submit'
  | 'approve'
  | 'dispute'
  | 'cancel'
  | 'settle'
  | 'delete'
  | 'resolve'
  | 'treasuryBalance'
  | 'treasuryWithdraw'
  | 'webhookList'
  | 'webhookDelete';

export interface OperationTemplate {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  actor?: 'seller' | 'buyer';
  body?: Record<string, string>;
}

const INVOICE = '/api/v1/invoices/{id}';

const operations: ReferenceTarget['operations'] = {
  read: { method: 'GET', path: INVOICE },
  submit: { method: 'POST', path: `${INVOICE}/submit`, actor: 'seller', body: { requestId: '{requestId}' } },
  approve: { method: 'POST', path: `${INVOICE}/approve`, actor: 'buyer' },
  dispute: { method: 'POST', path: `${INVOICE}/dispute`, actor: 'buyer', body: { reason: '{text}' } },
  cancel: { method: 'POST', path: `${INVOICE}/cancel`, actor: 'seller' },
  settle: { method: 'POST', path: `${INVOICE}/settle`, actor: 'buyer' },
  delete: { method: 'DELETE', path: INVOICE, actor: 'seller' },
  resolve: { method: 'POST', path: `${INVOICE}/resolve`, actor: 'seller', body: { note: '{text}' } },
  treasuryBalance: { method: 'POST', path: '/api/v1/treasury/balance', body: { requestId: '{requestId}' } },
  treasuryWithdraw: {
    method: 'POST',
    path: '/api/v1/treasury/withdraw',
    body: { amount: '{amount}', requestId: '{requestId}' },
  },
  webhookList: { method: 'GET', path: '/api/v1/settings/webhooks' },
  webhookDelete: { method: 'DELETE', path: '/api/v1/settings/webhooks/{id}' },
};

/** Everything the kit needs to judge the reference service at this address. */
export function describeTarget(baseUrl: string, { actors, counterparties }: Fixtures): ReferenceTarget {
  const credentials = (name: ActorName) => {
    const { key, secret, organizationId } = actors[name];
    return { key, secret, organizationId };
  };
  return {
    name: 'Reference service',
    baseUrl,
    implementation: { vendor: 'invoicing-network-conformance', product: 'reference', version: '1.0.0' },
    actors: {
      seller: credentials('seller'),
      buyer: credentials('buyer'),
      outsider: credentials('outsider'),
      readOnly: credentials('readOnly'),
      revoked: credentials('revoked'),
      production: credentials('production'),
    },
    counterparties: { ...counterparties },
    operations: structuredClone(operations),
    limits: { concurrency: 16, requestsPerSecond: 'none', requestTimeoutMs: 10_000, settleWithinMs: 5_000 },
    // The whole service, production included, is thrown away when it stops.
    allow: { reset: true, rateLimitProbe: false, productionWrites: true },
    webhooks: { listen: '127.0.0.1:0' },
  };
}
