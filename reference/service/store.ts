import type { components } from '../../specs/generated/openapi.ts';

export type Environment = components['schemas']['Environment'];
export type InvoiceStatus = components['schemas']['InvoiceStatus'];
/** An invoice, as in list items. */
export type InvoiceRecord = components['schemas']['Invoice'];

/** An invoice, as the service stores it. */
export interface Invoice extends InvoiceRecord {
  /** The notes of a dispute and its resolution; the contract shows no field that returns them. */
  notes: string[];
}

export type Scope = 'read' | 'write';

export interface ApiKey {
  key: string;
  secret: string;
  environment: Environment;
  organizationId: string;
  scopes: readonly Scope[];
  state: 'active' | 'revoked' | 'expired';
}

export interface Connection {
  id: string;
  organizationIds: readonly [string, string];
  status: 'ACTIVE' | 'SUSPENDED' | 'ARCHIVED';
}

export interface Booking {
  id: string;
  organizationIds: readonly [string, string];
  invoiceId: string;
}

export interface Subscription {
  id: string;
  organizationId: string;
  url: string;
  eventTypes: readonly string[];
  signingSecret: string | undefined;
  createdAt: string;
}

export interface ServiceResponse {
  status: number;
  /** JSON; `undefined` means no body. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface LogEntry {
  organizationId: string;
  at: string;
  method: string;
  path: string;
  status: number;
}

/** One environment: "Sandbox and production data are fully read-isolated", so they share no collection. */
export interface World {
  invoices: Map<string, Invoice>;
  connections: Connection[];
  bookings: Map<string, Booking>;
  subscriptions: Subscription[];
  /** Available funds in cents, by organization and currency. */
  balances: Map<string, bigint>;
  /** The responses of successful requests by replay key. */
  replays: Map<string, { organizationId: string; answer: ServiceResponse }>;
  /** Requests in progress by replay key, so that concurrent duplicates wait for the first one. */
  pendingRequests: Map<string, Promise<ServiceResponse>>;
  logs: LogEntry[];
  lastInvoiceNumber: number;
}

export interface Store {
  organizations: Map<string, { id: string; name: string }>;
  keys: Map<string, ApiKey>;
  /** The environments that have instances; the others return GW_ENVIRONMENT_UNAVAILABLE. */
  deployed: Set<Environment>;
  worlds: Record<Environment, World>;
}

function emptyWorld(): World {
  return {
    invoices: new Map(),
    connections: [],
    bookings: new Map(),
    subscriptions: [],
    balances: new Map(),
    replays: new Map(),
    pendingRequests: new Map(),
    logs: [],
    lastInvoiceNumber: 0,
  };
}

/** An empty store. */
export function emptyStore(): Store {
  return {
    organizations: new Map(),
    keys: new Map(),
    deployed: new Set(['SANDBOX', 'PRODUCTION']),
    worlds: { SANDBOX: emptyWorld(), PRODUCTION: emptyWorld() },
  };
}
