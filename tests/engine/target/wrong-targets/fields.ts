import { actor, BASE, GOOD, more, operation, type Row, SECRET } from './content.ts';

const TOP =
  'name, baseUrl, implementation, tls, proxy, headers, actors, counterparties, operations, limits, allow, webhooks, $schema';

/** Fields that do not exist at their place: the file, and every line of the message. */
export const UNKNOWN_FIELDS: readonly Row[] = [
  [more('baseURL: x'), '4: unknown field baseURL; did you mean baseUrl?'],
  [GOOD.replace('baseUrl', 'baseURL'), '1: unknown field baseURL; did you mean baseUrl?'],
  [more('base_url: x'), '4: unknown field base_url; did you mean baseUrl?'],
  [more('url: x'), '4: unknown field url; did you mean baseUrl?'],
  [more('ca: a.pem'), '4: unknown field ca; this field belongs elsewhere: write tls.ca'],
  [more('key: x'), '4: unknown field key; this field belongs elsewhere: write tls.key or actors.<actor>.key'],
  [more('approve: x'), '4: unknown field approve; this field belongs elsewhere: write operations.approve'],
  [more('limit: { a: 1 }'), '4: unknown field limit; did you mean limits?'],
  [more('actor: {}'), '4: unknown field actor; did you mean actors?'],
  [
    more('frobnicate: 1'),
    `4: unknown field frobnicate; remove it, or write one of the fields of a target file: ${TOP}`,
  ],
  [more('name2: 1'), '4: unknown field name2; did you mean name?'],
  [more('org: 1'), `4: unknown field org; remove it, or write one of the fields of a target file: ${TOP}`],
  [
    operation('aprove', '{ method: POST, path: "/x/{id}" }'),
    '5: unknown field operations.aprove; did you mean operations.approve?',
  ],
  [
    operation('archive', '{ method: POST, path: "/x/{id}" }'),
    '5: unknown field operations.archive; remove it, or write one of the fields of operations: read, submit, approve, dispute, cancel, settle, delete, resolve, treasuryBalance, treasuryWithdraw, webhookList, webhookDelete',
  ],
  [
    operation('approve', '{ verb: POST, url: "/x/{id}" }'),
    '5: operations.approve.method: missing; write GET, POST, PUT, PATCH or DELETE',
    '5: operations.approve.path: missing; write a path that starts with / and contains no space or #, such as "/api/v1/invoices/{id}/approve"',
    '5: unknown field operations.approve.verb; remove it, or write one of the fields of operations.approve: method, path, actor, body',
    '5: unknown field operations.approve.url; remove it, or write one of the fields of operations.approve: method, path, actor, body',
  ],
  [`${GOOD}  reedOnly: { key: a, secret: b }\n`, '4: unknown field actors.reedOnly; did you mean actors.readOnly?'],
  [
    more('limits: { requestPerSecond: 1 }'),
    '4: unknown field limits.requestPerSecond; did you mean limits.requestsPerSecond?',
  ],
  [
    more('limits: { timeout: 1, settleMs: 5, rps: 1 }'),
    '4: unknown field limits.timeout; did you mean limits.requestTimeoutMs?',
    '4: unknown field limits.settleMs; did you mean limits.settleWithinMs?',
    '4: unknown field limits.rps; did you mean limits.requestsPerSecond?',
  ],
  [
    actor(`{ apiKey: a, apiSecret: ${SECRET} }`),
    '3: unknown field actors.seller.apiKey; did you mean actors.seller.key?',
    '3: unknown field actors.seller.apiSecret; did you mean actors.seller.secret?',
  ],
  [
    actor(`{ key: a, secret: b, orgId: 7 }`),
    '3: unknown field actors.seller.orgId; did you mean actors.seller.organizationId?',
  ],
  [
    actor(`{ key: a, secret: b, organisationId: "7" }`),
    '3: unknown field actors.seller.organisationId; did you mean actors.seller.organizationId?',
  ],
  [
    `${BASE}\nactors:\n  key: a\n  secret: ${SECRET}\n`,
    '3: unknown field actors.key; this field belongs elsewhere: write actors.<actor>.key',
    '4: unknown field actors.secret; this field belongs elsewhere: write actors.<actor>.secret',
  ],
  [more('  name: b'), '4: unknown field actors.name; this field belongs elsewhere: write name at the top of the file'],
  [
    more('counterparties: { suspendet: x }'),
    '4: unknown field counterparties.suspendet; did you mean counterparties.suspended?',
  ],
  [more('bar: 1'), `4: unknown field bar; remove it, or write one of the fields of a target file: ${TOP}`],
];
