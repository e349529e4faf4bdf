import { existsSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { ConfigurationFault } from '../engine/configuration-fault.ts';

export const initCommand = new Command('init')
  .description('write a target file to fill in, with the usual operations bound')
  .argument('[file]', 'where to write it', 'target.yaml')
  .option('--base-url <url>', 'base URL of the server', 'https://staging.example.com')
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance init\n  $ conformance init staging.yaml --base-url https://staging.example.com',
  )
  .action((file: string, { baseUrl }: { baseUrl: string }) => {
    if (existsSync(file)) throw new ConfigurationFault(`${file}: exists already; name another file or remove it first`);
    try {
      writeFileSync(file, template(baseUrl));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ConfigurationFault(`${file}: cannot be written (${code}); name a file in a folder that can be written`);
    }
    console.log(`${file} is written. Set the variables it names, then: conformance doctor --target ${file}`);
  });

function template(baseUrl: string): string {
  const secrets = (name: string) => `{ key: "\${${name}_KEY}", secret: "\${${name}_SECRET}"`;
  return `# What the kit needs to know of a server. Only baseUrl and one actor are required; whatever is missing narrows what can
# be judged, and the report says exactly what and why. Values may be environment references.
name: Staging gateway
baseUrl: ${JSON.stringify(baseUrl)} # may carry a path prefix
implementation: { vendor: Example, product: gateway, version: "1.0" }

actors:
  seller: ${secrets('SELLER')} } # organizationId: …, found in existing invoices when not given
  buyer: ${secrets('BUYER')} } # has an active connection with the seller
  # outsider: ${secrets('OUTSIDER')}, organizationId: "…" } # a third sandbox organization
  # readOnly: ${secrets('READ_ONLY')} } # the seller's organization, may change nothing
  # revoked: ${secrets('REVOKED')} }
  # production: ${secrets('PRODUCTION')} } # the seller's organization; the kit only ever reads with it

counterparties: {}
  # unconnected: "…" # an organization without connection with the seller
  # suspended: "…" # one whose connection is not active

operations: # the contract leaves methods, paths and bodies of these open: correct them to what the server has
  read: { method: GET, path: "/api/v1/invoices/{id}" }
  submit: { method: POST, path: "/api/v1/invoices/{id}/submit", actor: seller }
  approve: { method: POST, path: "/api/v1/invoices/{id}/approve", actor: buyer }
  dispute: { method: POST, path: "/api/v1/invoices/{id}/dispute", actor: buyer, body: { reason: "{text}" } }
  cancel: { method: POST, path: "/api/v1/invoices/{id}/cancel", actor: seller }
  settle: { method: POST, path: "/api/v1/invoices/{id}/settle", actor: buyer }
  delete: { method: DELETE, path: "/api/v1/invoices/{id}", actor: seller }
  resolve: { method: POST, path: "/api/v1/invoices/{id}/resolve", actor: seller, body: { note: "{text}" } }
  # treasuryBalance: { method: GET, path: /api/v1/treasury/balance }
  # treasuryWithdraw: { method: POST, path: /api/v1/treasury/withdraw, body: { amount: "{amount}", requestId: "{requestId}" } }

limits: { concurrency: 16, requestsPerSecond: none, requestTimeoutMs: 10000, settleWithinMs: 5000 }
allow: { reset: false, rateLimitProbe: false } # a reset ends the sandbox keys above; the probe sends up to 600 lists at full speed
`;
}
