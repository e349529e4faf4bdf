import { ACTOR_NAMES, type ActorName, type Target } from '../../specs/target.ts';
import { demandsCertificate } from '../diagnosis/intermediary.ts';
import { listAsk } from '../diagnosis/list-request.ts';
import { isTurnedAway, noListBecause } from '../diagnosis/list-response.ts';
import type { Client } from '../http/client.ts';
import { ConfigurationFault } from '../model/configuration-error.ts';
import { credentialsOf } from '../model/credentials.ts';
import { type ApiResponse, bodyMember, headerValue, isShown } from '../model/messages.ts';
import { Blocked, NoAnswer, Unusable } from '../model/outcomes.ts';
import { listItems } from '../records/find-invoice-record.ts';
import type { Organizations } from '../target/capabilities.ts';
import { proxyOf } from '../target/proxy-settings.ts';
import { anotherService } from './another-service.ts';
import { SWAPPED_IDS, type TrialInvoice, tryCreation } from './creation-trial.ts';
import { completed, contradictions, discovered, standSwapped } from './organizations.ts';
import { webhookPortProblems } from './webhook-port.ts';

export interface ActorFinding {
  actor: ActorName;
  /** Status of the list with this actor's credentials; null when it got no answer, while others did. */
  status: number | null;
  organization: string | null;
  /** Where the organization id comes from. */
  source: 'target file' | 'existing invoices' | null;
}

export interface Preflight {
  actors: ActorFinding[];
  organizations: Organizations;
  /** Milliseconds by which the server's clock is ahead of this machine's; null without a Date header. */
  clockSkewMs: number | null;
  /** Everything that is wrong with the target file, a line for each field. */
  problems: string[];
  /** What the preflight has created. */
  made: TrialInvoice[];
}

export interface PreflightOptions {
  /** Whether the run creates invoices: then the preflight creates one, too. */
  creates: boolean;
  /** Whether the run asks what the counterparties of the target file are refused with. */
  counterparties: boolean;
  /** By which what it creates is told to be the kit's. */
  mark: string;
}

const READING_ONLY: PreflightOptions = { creates: false, counterparties: false, mark: '' };
/** Actors without which nothing can be judged; the checks of the others are blocked by them. */
const INDISPENSABLE: ReadonlySet<ActorName> = new Set(['seller', 'buyer']);

/**
 * Proves what the target file claims before anything is judged. Throws a ConfigurationFault with everything that is wrong in it.
 * It never judges the server: that is left to the checks.
 */
export async function preflight(target: Target, client: Client, options = READING_ONLY): Promise<Preflight> {
  const found = await examine(target, client, options);
  if (found.problems.length > 0) throw new ConfigurationFault(...found.problems);
  return found;
}

/** As `preflight`, with the problems in its result. Throws a ConfigurationFault when the target gives no answer at all. */
export async function examine(target: Target, client: Client, options = READING_ONLY): Promise<Preflight> {
  const names = ACTOR_NAMES.filter((name) => target.actors[name]);
  const answers = new Map<ActorName, Listed>();
  await started(target, client, names);
  for (const name of names) answers.set(name, await list(target, name, client));
  const elsewhere = elsewhereProblems(target, answers);
  if (elsewhere.length > 0) return { ...nothing(names, answers), problems: elsewhere };
  const another = await anotherService(target, client, [...answers].flatMap(withAnswer));
  if (another !== null) return { ...nothing(names, answers), problems: [another] };

  const listed = new Map([...answers].map(([name, answer]) => [name, isReceived(answer) ? listItems(answer) : []]));
  const actors = names.map((actor): ActorFinding => {
    const given = target.actors[actor]?.organizationId;
    const organization = given ?? discovered(actor, listed.get(actor) ?? []);
    const source = given ? 'target file' : organization ? 'existing invoices' : null;
    return { actor, status: answers.get(actor)?.status ?? null, organization, source };
  });
  const own = Object.fromEntries(
    actors.flatMap(({ actor, organization }) => (organization === null ? [] : [[actor, organization]])),
  );
  const organizations = completed(own, target, listed);
  const problems = [
    ...refusedKeys(target, answers),
    ...productionForSandbox(target),
    ...contradictions(target, organizations, listed),
    ...(await webhookPortProblems(target)),
  ];
  const namedSwapped = standSwapped(target, listed);
  const trial =
    problems.length === 0 && options.creates && target.actors.seller
      ? await tryCreation({ target, client, organizations, namedSwapped, ...options })
      : { problems: [], made: [] };
  // Where nothing may be created, nothing but the records tells.
  const swapped = options.creates || !namedSwapped ? [] : [SWAPPED_IDS];
  return {
    actors,
    organizations,
    clockSkewMs: skew([...answers.values()].find(isReceived)),
    problems: [...problems, ...swapped, ...trial.problems],
    made: trial.made,
  };
}

/** An answer, or no more than its status. */
type Listed = ApiResponse | { status: number | null; json: undefined };

function isReceived(listed: Listed): listed is ApiResponse {
  return 'headers' in listed && isShown(listed);
}

function withAnswer([name, listed]: [ActorName, Listed]): [ActorName, ApiResponse][] {
  return 'headers' in listed ? [[name, listed]] : [];
}

/** Gives a server time to start. A budget that is too small for that is told by the list that comes next. */
async function started(target: Target, client: Client, [name]: readonly ActorName[]): Promise<void> {
  try {
    await client.waitForStart(name === undefined ? [] : credentialsOf(target, name).headers);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
  }
}

async function list(target: Target, name: ActorName, client: Client): Promise<Listed> {
  try {
    return await client.send(listAsk(credentialsOf(target, name)), null);
  } catch (error) {
    if (error instanceof Unusable) return { status: error.status, json: undefined };
    if (error instanceof NoAnswer) return { status: null, json: undefined };
    if (!(error instanceof Blocked)) throw error;
    if (error.by !== 'target') {
      throw new ConfigurationFault(
        'limits.maxRequests: too few to prove the target file, which takes one for each actor; allow more (--max-requests)',
      );
    }
    const { message = '', remedy = '', field = 'baseUrl' } = client.lastFailure ?? {};
    throw new ConfigurationFault(`${field}: no answer from ${target.baseUrl}: ${message}; ${remedy}`);
  }
}

/** One line where every key that got an answer got one that is no list of this service. */
function elsewhereProblems(target: Target, answers: ReadonlyMap<ActorName, Listed>): string[] {
  const { baseUrl } = target;
  const counting = [...answers]
    .filter(([name, { status }]) => name !== 'revoked' && status !== null && status !== 401)
    .map(([, answer]) => answer);
  const reasons = counting.map((answer) => ('headers' in answer ? noListBecause(answer) : null));
  const [first] = reasons;
  if (!first || reasons.includes(null)) return [];
  const turnedAway = counting.find((answer): answer is ApiResponse => 'headers' in answer && isTurnedAway(answer));
  if (turnedAway && demandsCertificate(turnedAway)) {
    return [`tls.certificate: ${baseUrl} ${first}; name the client certificate that it demands, with tls.key`];
  }
  const proxy = proxyOf(target);
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
function productionForSandbox({ actors }: Target): string[] {
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

function refusedKeys({ baseUrl }: Target, answers: ReadonlyMap<ActorName, Listed>): string[] {
  return [...answers]
    .filter(([name, { status }]) => INDISPENSABLE.has(name) && status === 401)
    .map(
      ([name, listed]) =>
        `actors.${name}: ${baseUrl} refuses this key and secret (401${isWordedByService(listed) ? '' : ', and not in the words of the contract: a gateway may ask for headers'}); correct actors.${name}.key and actors.${name}.secret (a run with allow.reset ends them)`,
    );
}

/** "The 401 body carries error and message" (Errors, Body). */
function isWordedByService(listed: Listed): boolean {
  return !('headers' in listed) || ['error', 'message'].every((name) => typeof bodyMember(listed, name) === 'string');
}

function nothing(names: readonly ActorName[], answers: ReadonlyMap<ActorName, Listed>): Omit<Preflight, 'problems'> {
  const actors = names.map((actor) => ({
    actor,
    status: answers.get(actor)?.status ?? null,
    organization: null,
    source: null,
  }));
  return { actors, organizations: {}, clockSkewMs: null, made: [] };
}

function skew(answer: ApiResponse | undefined): number | null {
  const date = answer && headerValue(answer, 'date');
  const at = date ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? null : at - Date.now();
}
