/**
 * A target file to fill in. It stays valid when its comments are taken away, and when any of the lines that begin with
 * `# name:` are un-commented.
 */
export function targetTemplate(baseUrl: string): string {
  const actor = (stem: string, more = '') => `{ key: "\${${stem}_KEY}", secret: "\${${stem}_SECRET}"${more} }`;
  const organization = (stem: string) => `, organizationId: "\${${stem}_ORGANIZATION}"`;
  return `# What the kit needs to know of a server. Only baseUrl and one actor are required. What is missing narrows what can be
# judged, and the report says exactly what and why. Every value may hold environment variables, written \${NAME}.
name: Staging gateway
baseUrl: ${JSON.stringify(baseUrl)} # may carry a path prefix
implementation: { vendor: Example, product: gateway, version: "1.0" }
# headers: { X-Gateway-Token: "\${GATEWAY_TOKEN}" } # sent with every request, masked like secrets
# tls: {} # such as { ca: authority.pem, certificate: client.pem, key: client.key, passphrase: "\${TLS_PASSPHRASE}" }
# proxy: environment # HTTPS_PROXY, HTTP_PROXY and NO_PROXY; or the URL of a proxy, or none

# Each actor may have an organizationId: "…" as well. Without one, the kit takes it from existing invoices.
actors:
  seller: ${actor('SELLER')}
  buyer: ${actor('BUYER')} # has an active connection with the seller
  # outsider: ${actor('OUTSIDER', organization('OUTSIDER'))} # a third sandbox organization
  # readOnly: ${actor('READ_ONLY')} # the seller's organization, may change nothing
  # revoked: ${actor('REVOKED')} # a key that was revoked
  # production: ${actor('PRODUCTION')} # the seller's organization; the kit only reads with it

# Organizations without a connection with the seller, and with one that is not active.
# counterparties: { unconnected: "\${UNCONNECTED_ORGANIZATION}", suspended: "\${SUSPENDED_ORGANIZATION}" }

# The contract leaves method, path and body of these open. Correct them to what the server has. Write not-offered in place
# of the braces where the service has no such operation, as in treasuryWithdraw: not-offered.
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
  concurrency: 16 # requests under way at once
  requestsPerSecond: none
  # requestsPerMinute: 60 # a quota of the server: the run stays below it from its start
  requestTimeoutMs: 10000
  settleWithinMs: 5000 # how long an accepted action may take to show
  # startWithinMs: 60000 # how long a server that sleeps may take to answer its first request
  # withdrawAtMost: "1000.00" # the largest sum that one run withdraws in all
  # maxRequests: 5000 # requests that one run may send in all
  # deadlineMs: 1800000 # time after which a run asks nothing more

# What destroys or floods is off: a reset ends the sandbox keys above, the probe sends up to 600 lists at full speed, and
# production is written to only in a whole stack that is thrown away afterwards.
allow: { reset: false, rateLimitProbe: false, productionWrites: false }

# webhooks: { listen: "127.0.0.1:0" } # where the kit receives deliveries; publicUrl: "https://…" is how the server reaches it
`;
}
