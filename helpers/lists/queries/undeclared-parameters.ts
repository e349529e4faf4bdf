import type { JsonObject } from '../../api/responses.ts';

/** The organizations of a request: that of its key, and those of invoices that this key must not see. */
export interface Organizations {
  own: string;
  seller: string;
  buyer: string;
}

/** A query parameter for each name, all with the same value. */
function withValue(names: string, value: string): string {
  return names
    .split(' ')
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

const OWNER_NAMES = 'organization orgId org organization_id tenantId tenant tenant_id companyId accountId ownerId';
const SELLER_NAMES = 'seller seller_id seller_organization_id supplierId vendorId merchantId';
const BUYER_NAMES = 'buyer buyer_id buyer_organization_id customerId clientId';

/** Names under which similar APIs take an organization. Filters that are combined fit the same invoices. */
export function organizationNames({ seller, buyer }: Organizations): string {
  return [withValue(`${OWNER_NAMES} ${SELLER_NAMES}`, seller), withValue(BUYER_NAMES, buyer)].join('&');
}

/** Names and values under which similar APIs turn off the filter by organization. */
export const SCOPE_FLAGS = [
  withValue('all showAll includeAll global allOrganizations allTenants admin isAdmin internal unscoped', 'true'),
  withValue('scope view visibility organizations tenant', 'all'),
  `scope=global&${withValue('role as view', 'admin')}`,
];

/** Queries that name an organization in one of the usual forms. */
export function organizationQueries({ own, seller, buyer }: Organizations): string[] {
  const nested = (prefix: string) =>
    `${withValue(`${prefix}[organizationId] ${prefix}[sellerOrganizationId] ${prefix}[sellerId]`, seller)}&${withValue(`${prefix}[buyerOrganizationId] ${prefix}[buyerId]`, buyer)}`;
  const json = JSON.stringify({ sellerOrganizationId: seller });
  const fields = 'organizationId sellerOrganizationId sellerId buyerOrganizationId buyerId tenantId';
  return [
    withValue('organizationId', seller),
    withValue('sellerOrganizationId sellerId', seller),
    withValue('buyerOrganizationId buyerId', buyer),
    organizationNames({ own, seller, buyer }),
    `${nested('filter')}&${nested('where')}`,
    `${withValue('filter where', json)}&${withValue('$filter', `sellerOrganizationId eq '${seller}'`)}`,
    withValue('sellerOrganizationId[$ne] sellerOrganizationId[ne] organizationId[$ne] organizationId[ne]', own),
    // A server may compare the first value with the key and apply the last one.
    ['organizationId', 'sellerId'].map((name) => `${withValue(name, own)}&${withValue(name, seller)}`).join('&'),
    withValue(fields, ''),
    withValue(fields, '*'),
  ];
}

/** Headers that the session of a dashboard or an internal service may send. */
export function organizationHeaders(id: string): [string, string][] {
  const names = ['Organization-Id', 'Org-Id', 'Organization', 'Tenant-Id', 'Tenant', 'Account-Id', 'Company-Id'];
  const delegated = ['On-Behalf-Of', 'Impersonate', 'Seller-Id'];
  const roles: [string, string][] = [
    ['X-Role', 'admin'],
    ['X-Admin', 'true'],
    ['X-Internal', 'true'],
  ];
  return [...[...names, ...delegated].map((name): [string, string] => [`X-${name}`, id]), ...roles];
}

/** Queries that select an invoice by its id. */
export function idQueries(id: string): string[] {
  const others = 'id[] ids[] invoiceId invoiceIds invoice_id filter[id] where[id]';
  return [withValue('id', id), withValue('ids', id), withValue(others, id)];
}

/** Queries that select an invoice by its number or search for it. */
export function searchQueries(number: string): string[] {
  const others = 'number invoice_number query term keyword reference filter[invoiceNumber] filter[search]';
  return [withValue('invoiceNumber', number), withValue('q search', number), withValue(others, number)];
}

/** Queries that select invoices by the status of a foreign one, or continue a list after it. */
export function valueQueries({ id, status }: JsonObject): string[] {
  return [
    withValue('status', String(status)),
    withValue('after cursor startingAfter starting_after sinceId', String(id)),
  ];
}

/** A query that selects invoices by what a foreign one has, in a long period. */
export function periodQuery({ status, amount, currency, dueDate }: JsonObject): string {
  const values = Object.entries({ status, amount, currency, dueDate }).map(([name, value]) =>
    withValue(name, String(value)),
  );
  const since = withValue('from startDate createdAfter createdFrom dueFrom createdAt[gte] dueDate[gte]', '2000-01-01');
  const until = withValue('to endDate createdBefore createdTo dueTo createdAt[lte] dueDate[lte]', '2999-12-31');
  return [...values, since, until].join('&');
}

const RELATIONS = 'seller,buyer,organization,connection,counterparty,invoices,seller.invoices,buyer.invoices';

/** Queries that add related records. A server may replace a field by an object then. */
export const RELATION_QUERIES = [
  withValue('include expand embed with populate relations', RELATIONS),
  withValue('fields select include expand', '*'),
];

/** Queries for invoices that a list omits. A server may have such invoices of the key's own organization. */
export const HIDDEN_RECORD_QUERY = withValue(
  'includeDeleted withDeleted deleted includeArchived archived trashed',
  'true',
);

/** Names of environments in similar APIs. */
export function environmentQuery(environment: 'SANDBOX' | 'PRODUCTION'): string {
  const isLive = environment === 'PRODUCTION';
  return [
    withValue('environment env', environment),
    withValue('mode', isLive ? 'live' : 'test'),
    withValue('livemode live', String(isLive)),
    withValue('sandbox test', String(!isLive)),
  ].join('&');
}
