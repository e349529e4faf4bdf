import { ACTOR_NAMES, type ActorName, type Target } from '../../specs/target-file/target.ts';
import { isRequestLimit } from '../../specs/verdicts.ts';
import { demandsCertificate } from '../diagnosis/intermediary.ts';
import { newestListRequest } from '../diagnosis/list-request.ts';
import { isRejectedByIntermediary, notListReason } from '../diagnosis/list-response.ts';
import { type Client, TIMEOUT_CAUSE } from '../http/client.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import { credentialsOf } from '../model/credentials.ts';
import { type ApiResponse, bodyMember, headerValue, is2xx } from '../model/messages.ts';
import { Blocked, NoResponse, UnusableTarget } from '../model/outcomes.ts';
import { listItems } from '../records/invoice-records.ts';
import type { OrganizationIds } from '../target/capabilities.ts';
import { targetProxy } from '../target/network/proxy-settings.ts';
import { SWAPPED_IDS, type TrialInvoice, tryCreation } from './creation-trial.ts';
import { offeredOperations } from './offered-operations.ts';
import {
  completeOrganizations,
  discoverOrganization,
  hasSwappedOrganizations,
  organizationContradictions,
  showOrganization,
} from './organizations.ts';
import { constantResponseProblem, otherServiceProblem } from './other-service.ts';
import { credentialDoubt, credentialFields } from './rejected-keys.ts';
import { UNAVAILABLE_STATUSES } from './unavailable-statuses.ts';
import { webhookPortProblems } from './webhook-port.ts';

export interface ActorFinding {
  actor: ActorName;
  /** Status of the list with this actor's credentials; null if this actor got no response, while others did. */
  status: number | null;
  organization: string | null;
  /** Where the organization id comes from. */
  /** `its role`: the invoices name two organizations each time, and the actor's name decides. */
  source: 'target file' | 'existing invoices' | 'its role in existing invoices' | null;
}

export interface PreflightResult {
  actors: ActorFinding[];
  organizations: OrganizationIds;
  /** Milliseconds by which the server's clock is ahead of this machine's; null without a Date header. */
  clockSkewMs: number | null;
  /** The problems of the target file, one line for each field. */
  problems: string[];
  /** What may be wrong in the target file without preventing a run, one line for each field. */
  notices: string[];
  /** What the target returns if it is unavailable to every actor; null otherwise. */
  unavailable: { status: number; reason: string } | null;
  /** The invoices that the preflight has created. */
  trialInvoices: TrialInvoice[];
}

export interface PreflightOptions {
  /** Whether the run creates invoices: then the preflight creates one, too. */
  createsInvoices: boolean;
  /** Whether checks of the run use the counterparties of the target file. */
  needsCounterparties: boolean;
  /** Marks the invoices that the preflight creates as the kit's. */
  runMark: string;
}

const READ_ONLY_OPTIONS: PreflightOptions = { createsInvoices: false, needsCounterparties: false, runMark: '' };
/** Without these actors nothing can be judged. A wrong key of another actor only blocks the checks that need it. */
export const REQUIRED_ACTORS: ReadonlySet<ActorName> = new Set(['seller', 'buyer']);

/**
 * Verifies the target file before anything is judged, and throws a ConfigurationError with all of its problems. The
 * preflight never judges the server.
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

/** As `preflight`, with the problems in its result. Throws a ConfigurationError if the target does not respond at all. */
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
  const received = [...responses].flatMap(withResponse);
  const another =
    (await otherServiceProblem(target, client, received)) ?? (await constantResponseProblem(target, client, received));
  if (another !== null) return { ...emptyResult(names, responses), problems: [another] };

  const listed = new Map(
    [...responses].map(([name, response]) => [name, isListResponse(response) ? listItems(response) : []]),
  );
  const actors = names.map((actor): ActorFinding => {
    const given = target.actors[actor]?.organizationId;
    const organization = given ?? discoverOrganization(actor, listed.get(actor) ?? []);
    const shown = showOrganization(listed.get(actor) ?? []) ? 'existing invoices' : 'its role in existing invoices';
    const source = given ? 'target file' : organization ? shown : null;
    return { actor, status: responses.get(actor)?.status ?? null, organization, source };
  });
  const own = Object.fromEntries(
    actors.flatMap(({ actor, organization }) => (organization === null ? [] : [[actor, organization]])),
  );
  const organizations = completeOrganizations(own, target, listed);
  const problems = [
    ...rejectedKeyProblems(target, responses),
    ...swappedKeyProblems(responses),
    ...productionCredentialProblems(target),
    ...organizationContradictions(target, organizations, listed),
    ...(await webhookPortProblems(target)),
  ];
  const namedSwapped = hasSwappedOrganizations(target, listed);
  const trial =
    problems.length === 0 && options.createsInvoices && target.actors.seller
      ? await tryCreation({ target, client, organizations, isSwapped: namedSwapped, ...options })
      : { problems: [], trialInvoices: [] };
  // Without a trial creation, only the existing records show swapped ids.
  const swapped = options.createsInvoices || !namedSwapped ? [] : [SWAPPED_IDS];
  return {
    actors,
    organizations,
    clockSkewMs: clockSkewMs([...responses.values()].find(isListResponse)),
    unavailable: findUnavailability([...responses.values()]),
    problems: [...problems, ...swapped, ...trial.problems],
    notices: problems.length === 0 ? await offeredOperations(target, client, options.createsInvoices) : [],
    trialInvoices: trial.trialInvoices,
  };
}

/** A response, or only its status. */
type ListOutcome =
  | ApiResponse
  | { status: number | null; json: undefined; unavailable?: PreflightResult['unavailable'] };

function findUnavailability(outcomes: readonly ListOutcome[]): PreflightResult['unavailable'] {
  const [first] = outcomes.flatMap((outcome) => ('unavailable' in outcome && outcome.unavailable) || []);
  return first && outcomes.every(({ status }) => UNAVAILABLE_STATUSES.has(status)) ? first : null;
}

function isListResponse(listed: ListOutcome): listed is ApiResponse {
  return 'headers' in listed && is2xx(listed);
}

function withResponse([name, listed]: [ActorName, ListOutcome]): [ActorName, ApiResponse][] {
  return 'headers' in listed ? [[name, listed]] : [];
}

/** Gives a server time to start. The first list request reports a budget that is too small. */
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
    if (error instanceof UnusableTarget) {
      const { status, message: reason } = error;
      return { status, json: undefined, unavailable: { status, reason } };
    }
    if (error instanceof NoResponse) return { status: null, json: undefined };
    if (!(error instanceof Blocked)) throw error;
    if (isRequestLimit(error.blockedBy)) {
      throw new ConfigurationError(
        `${error.blockedBy}: found ${target.limits.maxRequests}, which is too low: the kit first sends one request for each actor; write a larger number`,
      );
    }
    if (error.blockedBy === TIMEOUT_CAUSE) throw new ConfigurationError(`limits.requestTimeoutMs: ${error.message}`);
    const { message = '', remedy = '', field = 'baseUrl' } = client.lastFailure ?? {};
    throw new ConfigurationError(`${field}: no response from ${target.baseUrl}: ${message}; ${remedy}`);
  }
}

/** One line if no key received a list of this service. */
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
    return [
      `tls.certificate: ${baseUrl} ${first}; write the path of the client certificate that it requires, and tls.key`,
    ];
  }
  const proxy = targetProxy(target);
  if (turnedAway && proxy) {
    return [
      `${proxy.field}: ${baseUrl}/api/v1/invoices, requested through the proxy ${proxy.origin}, ${first}; allow the request in the proxy, write proxy: none, or write the headers that a gateway requires in headers`,
    ];
  }
  if (turnedAway) {
    return [
      `headers: ${baseUrl}/api/v1/invoices ${first}; write the headers that it requires, correct baseUrl or proxy, or allow requests from this machine there`,
    ];
  }
  const prefix = /\/api\/v1\/?$/.test(baseUrl)
    ? ' without /api/v1, which the kit adds itself'
    : ' (host, port and path prefix)';
  const orProxy = proxy ? `, or ${proxy.field}: the request went through the proxy ${proxy.origin}` : '';
  return [`baseUrl: ${baseUrl}/api/v1/invoices ${first}; correct baseUrl${prefix}${orProxy}`];
}

/** The kit changes data with every other actor, so none may have a production credential. */
function productionCredentialProblems({ actors }: Target): string[] {
  const { production, ...others } = actors;
  return (Object.keys(others) as (keyof typeof others)[]).flatMap((name) => {
    const { key, secret } = others[name] ?? {};
    if (!key?.startsWith('svc_prod_') && (!production || (key !== production.key && secret !== production.secret)))
      return [];
    return [
      `actors.${name}: contains a production credential, but the kit changes data with it; write a sandbox key and its secret`,
    ];
  });
}

function rejectedKeyProblems(target: Target, responses: ReadonlyMap<ActorName, ListOutcome>): string[] {
  return [...responses]
    .filter(([name, { status }]) => REQUIRED_ACTORS.has(name) && status === 401)
    .map(
      ([name, listed]) =>
        `actors.${name}: ${target.baseUrl} rejects this key and secret (401${hasServiceErrorBody(listed) ? '' : ', without the error body of the contract: a gateway may require headers'}); correct ${credentialFields(target, name)}${credentialDoubt(target, name) || ' (a run with allow.reset invalidates them)'}`,
    );
}

/** The further actor whose key the server rejects while it accepts that of `revoked`. */
function swappedKeyProblems(responses: ReadonlyMap<ActorName, ListOutcome>): string[] {
  const revoked = responses.get('revoked');
  if (!revoked || !isListResponse(revoked)) return [];
  const rejected = [...responses].filter(([name, { status }]) => !REQUIRED_ACTORS.has(name) && status === 401);
  return rejected.map(
    ([name]) =>
      `actors.${name} and actors.revoked: the server rejects the first key (401) and accepts the second (${revoked.status}); swap them if they are in each other's place, otherwise correct both`,
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
  return { actors, organizations: {}, notices: [], clockSkewMs: null, unavailable: null, trialInvoices: [] };
}

function clockSkewMs(response: ApiResponse | undefined): number | null {
  const date = response && headerValue(response, 'date');
  const at = date ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? null : at - Date.now();
}
