import { NOT_OFFERED } from '../../../specs/target-file/operations.ts';

const CREDENTIAL = '${NAME} for an environment variable, or printable ASCII without leading or trailing spaces';
const ORGANIZATION = 'the id of the organization, in quotes and without leading or trailing spaces';
const FILE = 'the path of a PEM file, in quotes';
const FLAG = 'true or false';
const OPERATION = `{ method: POST, path: "/api/v1/…" }, or ${NOT_OFFERED}`;
const RATE = 'a number above 0, or none';

/** The value that each field of a target file takes, worded to follow "write"; `*` matches any one name. */
export const EXPECTED_VALUES: Readonly<Record<string, string>> = {
  '': 'a mapping with baseUrl and actors ("conformance init" writes a file to fill in)',
  name: 'a non-empty text',
  baseUrl: 'an absolute http or https URL, such as https://staging.example.com',
  implementation: '{ vendor: …, product: …, version: "…" }',
  'implementation.*': 'a text in quotes',
  tls: '{ ca: authority.pem, certificate: client.pem, key: client.key, passphrase: ${NAME} }, or some of these',
  'tls.ca': FILE,
  'tls.certificate': FILE,
  'tls.key': FILE,
  'tls.passphrase': 'the passphrase of tls.key, as ${NAME}',
  proxy: 'environment, none, or the http or https URL of a proxy',
  headers: '{ Header-Name: ${NAME} }',
  'headers.*': CREDENTIAL,
  actors: '{ seller: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} } }, and further actors',
  'actors.*': '{ key: ${SOME_KEY}, secret: ${SOME_SECRET} }',
  'actors.*.key': CREDENTIAL,
  'actors.*.secret': CREDENTIAL,
  'actors.*.organizationId': ORGANIZATION,
  counterparties: '{ unconnected: "<organization id>", suspended: "<organization id>" }',
  'counterparties.*': ORGANIZATION,
  operations: '{ read: { method: GET, path: "/api/v1/invoices/{id}" } }, and further operations',
  'operations.*': OPERATION,
  'operations.*.method': 'GET, POST, PUT, PATCH or DELETE',
  'operations.*.path': 'a path that starts with / and contains no space or #, such as "/api/v1/invoices/{id}/approve"',
  'operations.*.actor': 'seller or buyer',
  'operations.*.body': 'a mapping, such as { reason: "{text}" }',
  'operations.*.body.*': 'any JSON',
  'operations.treasuryWithdraw.simulated': FLAG,
  limits: '{ concurrency: 16 }, and further limits',
  'limits.concurrency': 'a whole number from 1 to 256',
  'limits.requestsPerSecond': RATE,
  'limits.requestsPerMinute': RATE,
  'limits.requestTimeoutMs': 'milliseconds, a whole number from 10 to 600000, such as 10000',
  'limits.settleWithinMs': 'milliseconds, a whole number from 0 to 600000, such as 5000',
  'limits.startWithinMs': 'milliseconds, a whole number from 0 to 600000, such as 60000',
  'limits.withdrawAtMost': 'an amount with two decimal places, in quotes, such as "1000.00"',
  'limits.maxRequests': 'a whole number above 0, or none',
  'limits.deadlineMs': 'milliseconds, a whole number from 1000 to 86400000, or none',
  allow: '{ reset: false, rateLimitProbe: false, productionWrites: false }',
  'allow.*': FLAG,
  webhooks: '{ listen: "0.0.0.0:8080", publicUrl: "https://…" }',
  'webhooks.listen': 'an address and a port, such as 127.0.0.1:0',
  'webhooks.publicUrl': 'the http or https URL at which the server reaches webhooks.listen',
  $schema: 'the address of target.schema.json',
};

/** The value that the field at a path takes; inside a body, the value of the body. */
export function expectedValueAt(path: readonly PropertyKey[]): string {
  for (let length = path.length; length > 0; length -= 1) {
    const names = path.slice(0, length).map(String);
    const pattern = names.map((name, at) => (at === 1 || at === 3 ? '*' : name)).join('.');
    const found = EXPECTED_VALUES[names.join('.')] ?? EXPECTED_VALUES[pattern];
    if (found !== undefined) return found;
  }
  return EXPECTED_VALUES[''] ?? '';
}
