/**
 * The template of a target file, as YAML. It must stay valid without its comments, and with any of the lines that begin with
 * `# name:` uncommented.
 */
export function targetTemplate(baseUrl: string): string {
  const actor = (stem: string, more = '') => `{ key: "\${${stem}_KEY}", secret: "\${${stem}_SECRET}"${more} }`;
  const organization = (stem: string) => `, organizationId: "\${${stem}_ORGANIZATION}"`;
  return `# Describes a server to the kit. Only baseUrl and one actor are required. A missing entry blocks the checks that need it, and
# the report names both. Every value may contain environment variables, written \${NAME}.
name: Staging gateway
baseUrl: ${JSON.stringify(baseUrl)} # may contain a path prefix
implementation: { vendor: Example, product: gateway, version: "1.0" }
# headers: { X-Gateway-Token: "\${GATEWAY_TOKEN}" } # sent with every request, masked like secrets
# tls: {} # such as { ca: authority.pem, certificate: client.pem, key: client.key, passphrase: "\${TLS_PASSPHRASE}" }
# proxy: environment # HTTPS_PROXY, HTTP_PROXY and NO_PROXY; or the URL of a proxy, or none

# Each actor may have an organizationId: "…" as well. Without one, the kit takes it from existing invoices.
actors:
  seller: ${actor('SELLER')}
  buyer: ${actor('BUYER')} # has an active connection with the seller
  # outsider: ${actor('OUTSIDER', organization('OUTSIDER'))} # a third sandbox organization
  # readOnly: ${actor('READ_ONLY')} # the seller's organization, with permission to read only
  # revoked: ${actor('REVOKED')} # a revoked key
  # production: ${actor('PRODUCTION')} # the seller's organization; the kit only reads with it

# Organizations without a connection with the seller, and with one that is not active.
# counterparties: { unconnected: "\${UNCONNECTED_ORGANIZATION}", suspended: "\${SUSPENDED_ORGANIZATION}" }

# The contract does not define the method, path and body of these operations. Correct them for your server. If the server has
# no such operation, replace the braces with not-offered, as in treasuryWithdraw: not-offered.
operations:
  read: { method: GET, path: "/api/v1/invoices/{id}" }
  submit: { method: POST, path: "/api/v1/invoices/{id}/submit", actor: seller }
  approve: { method: POST, path: "/api/v1/invoices/{id}/approve", actor: buyer }
  dispute: { method: POST, path: "/api/v1/invoices/{id}/dispute", actor: buyer, body: { reason: "{text}" } }
  cancel: { method: POST, path: "/api/v1/invoices/{id}/cancel", actor: seller }
  settle: { method: POST, path: "/api/v1/invoices/{id}/settle", actor: buyer }
  delete: { method: DELETE, path: "/api/v1/invoices/{id}", actor: seller }
  resolve: { method: POST, path: "/api/v1/invoices/{id}/resolve", actor: seller, body: { note: "{text}" } }
  # treasuryBalance: { method: GET, path: "/api/v1/treasury/balance" }
  # treasuryWithdraw: { method: POST, path: "/api/v1/treasury/withdraw", body: { amount: "{amount}", requestId: "{requestId}" } }
  # webhookList: { method: GET, path: "/api/v1/settings/webhooks" }
  # webhookDelete: { method: DELETE, path: "/api/v1/settings/webhooks/{id}" } # removes the subscriptions of a run

limits:
  concurrency: 16 # maximum number of concurrent requests
  requestsPerSecond: none
  # requestsPerMinute: 60 # a quota of the server; the run stays below it from the first request
  requestTimeoutMs: 10000
  settleWithinMs: 5000 # time within which an accepted action must be visible
  # startWithinMs: 60000 # time that a sleeping server may need for its first response
  # withdrawAtMost: "1000.00" # maximum total that one run withdraws
  # maxRequests: 5000 # maximum number of requests that one run sends
  # deadlineMs: 1800000 # time after which a run sends no new requests

# These checks are destructive and off by default. A reset invalidates the sandbox keys above. The rate limit probe sends up
# to 600 list requests at full speed. Production writes are only for an ephemeral stack that you discard after the run.
allow: { reset: false, rateLimitProbe: false, productionWrites: false }

# webhooks: { listen: "127.0.0.1:0" } # where the kit receives deliveries; publicUrl: "https://…" is how the server reaches it
`;
}
