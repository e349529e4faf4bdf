import { randomBytes, randomUUID } from 'node:crypto';
import { seedInvoices } from './fixture-invoices.ts';
import { type ApiKey, type Connection, type Environment, emptyStore, type Scope, type Store } from './store.ts';

export type ActorName = 'seller' | 'buyer' | 'outsider' | 'readOnly' | 'revoked' | 'production';

export interface Fixtures {
  store: Store;
  actors: Record<ActorName, ApiKey>;
  counterparties: { unconnected: string; suspended: string };
}

/** A world of its own at every start: nothing of it is known beforehand, neither keys nor ids. */
export function seed(now: Date): Fixtures {
  const store = emptyStore();
  const seller = organization(store, 'Seller');
  const buyer = organization(store, 'Buyer');
  const outsider = organization(store, 'Outsider');
  const partner = organization(store, 'Partner of the outsider');
  const unconnected = organization(store, 'Unconnected');
  const suspended = organization(store, 'Suspended');

  const sandbox = store.worlds.SANDBOX;
  const production = store.worlds.PRODUCTION;
  sandbox.connections.push(
    connection(seller, buyer),
    connection(outsider, partner),
    connection(seller, suspended, 'SUSPENDED'),
  );
  production.connections.push(connection(seller, buyer));

  seedInvoices(sandbox, seller, buyer, ['DRAFT', 'SUBMITTED', 'APPROVED', 'DISPUTED', 'SETTLED'], now);
  seedInvoices(sandbox, outsider, partner, ['DRAFT', 'SUBMITTED', 'SETTLED'], now);
  seedInvoices(production, seller, buyer, ['SUBMITTED', 'APPROVED', 'SETTLED'], now);

  return {
    store,
    actors: {
      seller: key(store, seller, 'SANDBOX'),
      buyer: key(store, buyer, 'SANDBOX'),
      outsider: key(store, outsider, 'SANDBOX'),
      readOnly: key(store, seller, 'SANDBOX', ['read']),
      revoked: key(store, seller, 'SANDBOX', ['read', 'write'], 'revoked'),
      production: key(store, seller, 'PRODUCTION'),
    },
    counterparties: { unconnected, suspended },
  };
}

function organization(store: Store, name: string): string {
  const id = randomUUID();
  store.organizations.set(id, { id, name });
  return id;
}

function connection(one: string, other: string, status: Connection['status'] = 'ACTIVE'): Connection {
  return { id: randomUUID(), organizationIds: [one, other], status };
}

/** "Sandbox keys start with `svc_sand_` and production keys with `svc_prod_`." */
function key(
  store: Store,
  organizationId: string,
  environment: Environment,
  scopes: readonly Scope[] = ['read', 'write'],
  state: ApiKey['state'] = 'active',
): ApiKey {
  const prefix = environment === 'SANDBOX' ? 'svc_sand_' : 'svc_prod_';
  const secret = randomBytes(32).toString('base64url');
  const made: ApiKey = {
    key: `${prefix}${randomBytes(24).toString('base64url')}`,
    secret,
    environment,
    organizationId,
    scopes,
    state,
  };
  store.keys.set(made.key, made);
  return made;
}
