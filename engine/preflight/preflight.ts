import { ACTOR_NAMES, type ActorName, type Target } from '../../specs/target.ts';
import { demandsCertificate } from '../diagnosis/intermediary.ts';
import { newestListRequest } from '../diagnosis/list-request.ts';
import { isRejectedByIntermediary, notListReason } from '../diagnosis/list-response.ts';
import type { Client } from '../http/client.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import { credentialsOf } from '../model/credentials.ts';
import { type ApiResponse, bodyMember, headerValue, is2xx } from '../model/messages.ts';
import { Blocked, NoResponse, UnusableTarget } from '../model/outcomes.ts';
import { listItems } from '../records/invoice-records.ts';
import type { OrganizationIds } from '../target/capabilities.ts';
import { targetProxy } from '../target/proxy-settings.ts';
import { SWAPPED_IDS, type TrialInvoice, tryCreation } from './creation-trial.ts';
import {
  completeOrganizations,
  discoverOrganization,
  hasSwappedOrganizations,
  organizationContradictions,
} from './organizations.ts';
import { otherServiceProblem } from './other-service.ts';
import { webhookPortProblems } from './webhook-port.ts';

export interface ActorFinding {
  actor: ActorName;
  /** Status of the list with this actor's credentials; null when it got no answer, while others did. */
  status: number | null;
  organization: string | null;
  /** Where the organization id comes from. */
  source: 'target file' | 'existing invoices' | null;
}

export interface PreflightResult {
  actors: ActorFinding[];
  organizations: OrganizationIds;
  /** Milliseconds by which the server's clock is ahead of this machine's; null without a Date header. */
  clockSkewMs: number | null;
  /** Everything that is wrong with the target file, a line for each field. */
  problems: string[];
  /** What the preflight has created. */
  trialInvoices: TrialInvoice[];
}

export interface PreflightOptions {
  /** Whether the run creates invoices: then the preflight creates one, too. */
  createsInvoices: boolean;
  /** Whether the run asks what the counterparties of the target file are refused with. */
  needsCounterparties: boolean;
  /** By which what it creates is told to be the kit's. */
  runMark: string;
}

const READ_ONLY_OPTIONS: PreflightOptions = { createsInvoices: false, needsCounterparties: false, runMark: '' };
/** Actors without which nothing can be judged; the checks of the others are blocked by them. */
const REQUIRED_ACTORS: ReadonlySet<ActorName> = new Set(['seller', 'buyer']);

/**
 * Proves what the target file claims before anything is judged. Throws a ConfigurationError with everything that is wrong in it.
 * It never judges the server: that is left to the checks.
 */
export async function runPreflight(
  target: Target,
  client: Client,
  options = READ_ONLY_OPTIONS,
): Promise<PreflightResult> {
  const found = await inspectTarget(target, client, options);
  if (found.problems.length > 0) throw new ConfigurationError(...found.problems);
  return found;
}

/** As `preflight`, with the problems in its result. Throws a ConfigurationError when the target gives no answer at all. */
export async function inspectTarget(
  target: Target,
  client: Client,
  options = READ_ONLY_OPTIONS,
): Promise<PreflightResult> {
  const names = ACTOR_NAMES.filter((name) => target.actors[name]);
  const responses = new Map<ActorName, ListOutcome>();
  await waitForServiceStart(target, client, names);
  for (const name of names) responses.set(name, await listAsActor(target, name, client));
  const elsewhere = wrongServiceProblems(target, responses);
  if (elsewhere.length > 0) return { ...emptyResult(names, responses), problems: elsewhere };
  const another = await otherServiceProblem(target, client, [...responses].flatMap(withResponse));
  if (another !== null) return { ...emptyResult(names, responses), problems: [another] };

  const listed = new Map(
    [...responses].map(([name, response]) => [name, isListResponse(response) ? listItems(response) : []]),
  );
  const actors = names.map((actor): ActorFinding => {
    const given = target.actors[actor]?.organizationId;
    const organization = given ?? discoverOrganization(actor, listed.get(actor) ?? []);
    const source = given ? 'target file' : organization ? 'existing invoices' : null;
    return { actor, status: responses.get(actor)?.status ?? null, organization, source };
  });
  const own = Object.fromEntries(
    actors.flatMap(({ actor, organization }) => (organization === null ? [] : [[actor, organization]])),
  );
  const organizations = completeOrganizations(own, target, listed);
  const problems = [
    ...rejectedKeyProblems(target, responses),
    ...productionCredentialProblems(target),
    ...organizationContradictions(target, organizations, listed),
    ...(await webhookPortProblems(target)),
  ];
  const namedSwapped = hasSwappedOrganizations(target, listed);
  const trial =
    problems.length === 0 && options.createsInvoices && target.actors.seller
      ? await tryCreation({ target, client, organizations, isSwapped: namedSwapped, ...options })
      : { problems: [], trialInvoices: [] };
  // Where nothing may be created, nothing but the records tells.
  const swapped = options.createsInvoices || !namedSwapped ? [] : [SWAPPED_IDS];
  return {
    actors,
    organizations,
    clockSkewMs: clockSkewMs([...responses.values()].find(isListResponse)),
    problems: [...problems, ...swapped, ...trial.problems],
    trialInvoices: trial.trialInvoices,
  };
}

/** An answer, or no more than its status. */
type ListOutcome = ApiResponse | { status: number | null; json: undefined };

function isListResponse(listed: ListOutcome): listed is ApiResponse {
  return 'headers' in listed && is2xx(listed);
}

function withResponse([name, listed]: [ActorName, ListOutcome]): [ActorName, ApiResponse][] {
  return 'headers' in listed ? [[name, listed]] : [];
}

/** Gives a server time to start. A budget that is too small for that is told by the list that comes next. */
async function waitForServiceStart(target: Target, client: Client, [name]: readonly ActorName[]): Promise<void> {
  try {
    await client.waitForStart(name === undefined ? [] : credentialsOf(target, name).headers);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
  }
}

async function listAsActor(target: Target, name: ActorName, client: Client): Promise<ListOutcome> {
  try {
    return await client.send(newestListRequest(credentialsOf(target, name)), null);
  } catch (error) {
    if (error instanceof UnusableTarget) return { status: error.status, json: undefined };
    if (error instanceof NoResponse) return { status: null, json: undefined };
    if (!(error instanceof Blocked)) throw error;
    if (error.blockedBy !== 'target') {
      throw new ConfigurationError(
        'limits.maxRequests: too few to prove the target file, which takes one for each actor; allow more (--max-requests)',
      );
    }
    const { message = '', remedy = '', field = 'baseUrl' } = client.lastFailure ?? {};
    throw new ConfigurationError(`${field}: no answer from ${target.baseUrl}: ${message}; ${remedy}`);
  }
}

/** One line where every key that got an answer got one that is no list of this service. */
function wrongServiceProblems(target: Target, responses: ReadonlyMap<ActorName, ListOutcome>): string[] {
  const { baseUrl } = target;
  const counting = [...responses]
    .filter(([name, { status }]) => name !== 'revoked' && status !== null && status !== 401)
    .map(([, response]) => response);
  const reasons = counting.map((response) => ('headers' in response ? notListReason(response) : null));
  const [first] = reasons;
  if (!first || reasons.includes(null)) return [];
  const turnedAway = counting.find(
    (response): response is ApiResponse => 'headers' in response && isRejectedByIntermediary(response),
  );
  if (turnedAway && demandsCertificate(turnedAway)) {
    return [`tls.certificate: ${baseUrl} ${first}; name the client certificate that it demands, with tls.key`];
  }
  const proxy = targetProxy(target);
  if (turnedAway && proxy) {
    return [
      `${proxy.field}: ${baseUrl}/api/v1/invoices, asked for through the proxy ${proxy.origin}, ${first}; have the proxy allow it, write proxy: none, or name in headers what a gateway asks for`,
    ];
  }
  if (turnedAway) {
    return [
      `headers: ${baseUrl}/api/v1/invoices ${first}; name the headers that it asks for, correct baseUrl or proxy, or have it let this machine through`,
    ];
  }
  const prefix = /\/api\/v1\/?$/.test(baseUrl)
    ? ' without /api/v1, which the kit adds itself'
    : ' (host, port and path prefix)';
  const orProxy = proxy ? `, or ${proxy.field}: it was asked for through the proxy ${proxy.origin}` : '';
  return [`baseUrl: ${baseUrl}/api/v1/invoices ${first}; correct baseUrl${prefix}${orProxy}`];
}

/** The kit writes with every other actor: none may have a credential of production. */
function productionCredentialProblems({ actors }: Target): string[] {
  const { production, ...others } = actors;
  return (Object.keys(others) as (keyof typeof others)[]).flatMap((name) => {
    const { key, secret } = others[name] ?? {};
    if (!key?.startsWith('svc_prod_') && (!production || (key !== production.key && secret !== production.secret)))
      return [];
    return [
      `actors.${name}: holds a credential of production, and the kit writes with it; name a sandbox key and its secret`,
    ];
  });
}

function rejectedKeyProblems({ baseUrl }: Target, responses: ReadonlyMap<ActorName, ListOutcome>): string[] {
  return [...responses]
    .filter(([name, { status }]) => REQUIRED_ACTORS.has(name) && status === 401)
    .map(
      ([name, listed]) =>
        `actors.${name}: ${baseUrl} refuses this key and secret (401${hasServiceErrorBody(listed) ? '' : ', and not in the words of the contract: a gateway may ask for headers'}); correct actors.${name}.key and actors.${name}.secret (a run with allow.reset ends them)`,
    );
}

/** "The 401 body carries error and message" (Errors, Body). */
function hasServiceErrorBody(listed: ListOutcome): boolean {
  return !('headers' in listed) || ['error', 'message'].every((name) => typeof bodyMember(listed, name) === 'string');
}

function emptyResult(
  names: readonly ActorName[],
  responses: ReadonlyMap<ActorName, ListOutcome>,
): Omit<PreflightResult, 'problems'> {
  const actors = names.map((actor) => ({
    actor,
    status: responses.get(actor)?.status ?? null,
    organization: null,
    source: null,
  }));
  return { actors, organizations: {}, clockSkewMs: null, trialInvoices: [] };
}

function clockSkewMs(response: ApiResponse | undefined): number | null {
  const date = response && headerValue(response, 'date');
  const at = date ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? null : at - Date.now();
}
