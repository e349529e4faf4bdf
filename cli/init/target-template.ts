import type { OrganizationIds } from '../../engine/target/capabilities.ts';
import { ACTOR_NAMES, type ActorName } from '../../specs/target-file/target.ts';
import type { BindingFindings } from './bindings.ts';
import { type GivenActors, variableFor } from './given-values.ts';
import { operationLines } from './operation-lines.ts';

/** What is known about a target. Everything else is written as in most targets. */
export interface TargetDraft {
  baseUrl: string;
  /** The first line, for editors; null for none. */
  schemaLine: string | null;
  /** The path of the authority, relative to the target file; null for none. */
  ca: string | null;
  given: GivenActors;
  organizations: OrganizationIds;
  bindings: BindingFindings;
}

const ACTOR_COMMENTS: Partial<Record<ActorName, string>> = {
  buyer: 'has an active connection with the seller',
  outsider: 'a third sandbox organization',
  readOnly: "the seller's organization, with permission to read only",
  revoked: 'a revoked key',
  production: "the seller's organization; the kit only reads with it",
};

/** The actors of the file. Seller and buyer, if no key of either is known. */
export function writtenActors(given: GivenActors): ReadonlySet<ActorName> {
  const isKnown = (actor: ActorName) => given[actor]?.key !== undefined || given[actor]?.secret !== undefined;
  const known = ACTOR_NAMES.filter(isKnown);
  return new Set(isKnown('seller') || isKnown('buyer') ? known : ['seller', 'buyer', ...known]);
}

/**
 * A target file, as YAML. It must stay valid without its comments, and with any of the lines that begin with `# name:`
 * uncommented.
 */
export function targetTemplate({ baseUrl, schemaLine, ca, given, organizations, bindings }: TargetDraft): string {
  return `${schemaLine ?? ''}# Describes a server to the kit. Only baseUrl and one actor are required. A missing entry blocks the checks that need it, and
# the report names both. Every value may contain environment variables, written \${NAME}.
name: Staging gateway
baseUrl: ${JSON.stringify(baseUrl)} # may contain a path prefix
implementation: { vendor: Example, product: gateway, version: "1.0" }
# headers: { X-Gateway-Token: "\${GATEWAY_TOKEN}" } # sent with every request, masked like secrets
${ca === null ? '# tls: {}' : `tls: { ca: ${JSON.stringify(ca)} }`} # such as { ca: authority.pem, certificate: client.pem, key: client.key, passphrase: "\${TLS_PASSPHRASE}" }
# proxy: environment # HTTPS_PROXY, HTTP_PROXY and NO_PROXY; or the URL of a proxy, or none

# Each actor may have an organizationId: "…" as well. Without one, the kit takes it from existing invoices.
actors:
${actorLines(given, organizations)}
# Organizations without a connection with the seller, and with one that is not active.
# counterparties: { unconnected: "\${UNCONNECTED_ORGANIZATION}", suspended: "\${SUSPENDED_ORGANIZATION}" }

# The contract does not define the method, path and body of these operations. Correct them for your server. If the server has
# no such operation, replace the braces with not-offered, as in treasuryWithdraw: not-offered.
operations:
${operationLines(bindings)}
limits:
  concurrency: 16 # maximum number of concurrent requests
  requestsPerSecond: none
  # requestsPerMinute: 60 # a quota of the server; the run stays below it from the first request
  requestTimeoutMs: 10000
  settleWithinMs: 5000 # time within which an accepted action must be visible
  # startWithinMs: 60000 # time that a server that starts on demand may need for its first response
  # withdrawAtMost: "1000.00" # maximum total that one run withdraws
  # maxRequests: 5000 # maximum number of requests that one run sends
  # deadlineMs: 1800000 # time after which a run sends no new requests

# These checks are destructive and off by default. A reset invalidates the sandbox keys above. The rate limit probe sends up
# to 600 list requests at full speed. Production writes are only for an ephemeral stack that you discard after the run.
allow: { reset: false, rateLimitProbe: false, productionWrites: false }

# webhooks: { listen: "127.0.0.1:0" } # where the kit receives deliveries; with publicUrl: "https://…", write the port that it forwards to
`;
}

function actorLines(given: GivenActors, organizations: OrganizationIds): string {
  const written = writtenActors(given);
  return ACTOR_NAMES.map((actor) => {
    const fields = (['key', 'secret'] as const).map((part) => `${part}: "\${${variableFor(actor, part, given)}}"`);
    const organization = organizationField(actor, given, organizations, written.has(actor));
    const mark = written.has(actor) ? '' : '# ';
    const comment = ACTOR_COMMENTS[actor];
    const end = comment === undefined ? '' : ` # ${comment}`;
    return `  ${mark}${actor}: { ${[...fields, ...organization].join(', ')} }${end}\n`;
  }).join('');
}

function organizationField(
  actor: ActorName,
  given: GivenActors,
  organizations: OrganizationIds,
  isWritten: boolean,
): string[] {
  const variable = given[actor]?.organizationId?.variable;
  if (variable !== undefined) return [`organizationId: "\${${variable}}"`];
  const id = organizations[actor];
  if (id !== undefined) return [`organizationId: ${JSON.stringify(id)}`];
  const isShown = actor === 'outsider' && !isWritten;
  return isShown ? [`organizationId: "\${${variableFor(actor, 'organizationId', given)}}"`] : [];
}
