import { ACTOR_NAMES, type ActorName, type Target } from '../specs/target.ts';
import { type Answer, headerOf, isShown } from './answer.ts';
import type { Organizations } from './capabilities.ts';
import type { Client } from './client.ts';
import { ConfigurationFault } from './configuration-fault.ts';
import { credentialsOf } from './credentials.ts';
import { listItems } from './invoice-record.ts';
import { Blocked, NoAnswer, Unusable } from './outcome.ts';

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
}

const LIST = '/api/v1/invoices?page=0&limit=100&sortBy=createdAt&sortOrder=desc';
const JUDGED_GOOD: readonly ActorName[] = ['seller', 'buyer'];

/**
 * Proves what the target file claims, with reading requests only, and judges nothing.
 * Throws a ConfigurationFault when the target gives no answer, or a 401 for a key that the file calls good.
 */
export async function preflight(target: Target, client: Client): Promise<Preflight> {
  const names = ACTOR_NAMES.filter((name) => target.actors[name]);
  const answers = new Map<ActorName, Listed>();
  for (const name of names) answers.set(name, await list(target, name, client));

  const refused = JUDGED_GOOD.filter((name) => answers.get(name)?.status === 401);
  if (refused.length > 0) {
    throw new ConfigurationFault(
      ...refused.map(
        (name) =>
          `actors.${name}: ${target.baseUrl} refuses this key and secret (401); correct actors.${name}.key and actors.${name}.secret (a run with allow.reset ends them)`,
      ),
    );
  }
  const actors = names.map((actor) => finding(target, actor, answers));
  const organizations: Organizations = Object.fromEntries(
    actors.flatMap(({ actor, organization }) => (organization === null ? [] : [[actor, organization]])),
  );
  return {
    actors,
    organizations: withCounterparty(organizations, target, answers),
    clockSkewMs: skew([...answers.values()].find((listed): listed is Answer => 'headers' in listed)),
  };
}

/** What cannot be judged by what came has at least a status. */
type Listed = Answer | { status: number | null; json: undefined };

async function list(target: Target, name: ActorName, client: Client): Promise<Listed> {
  try {
    const ask = { operation: 'list', method: 'GET', path: LIST, as: name, actor: name } as const;
    return await client.send({ ...ask, credentials: credentialsOf(target, name).headers }, null);
  } catch (error) {
    if (error instanceof Unusable) return { status: error.status, json: undefined };
    if (error instanceof NoAnswer) return { status: null, json: undefined };
    if (!(error instanceof Blocked)) throw error;
    if (error.by !== 'target') {
      throw new ConfigurationFault(
        'limits.maxRequests: too few to prove the target file, which takes one for each actor; allow more (--max-requests)',
      );
    }
    const { message = '', remedy = '' } = client.lastFailure ?? {};
    throw new ConfigurationFault(`baseUrl: no answer from ${target.baseUrl}: ${message}; ${remedy}`);
  }
}

function finding(target: Target, actor: ActorName, answers: ReadonlyMap<ActorName, Listed>): ActorFinding {
  const answer = answers.get(actor);
  const given = target.actors[actor]?.organizationId;
  const status = answer?.status ?? null;
  const listed = answer && status !== null && isShown({ status });
  const discovered = given ?? (listed ? commonOrganization(answer, actor) : null);
  return {
    actor,
    status,
    organization: discovered,
    source: given ? 'target file' : discovered ? 'existing invoices' : null,
  };
}

/** Whose side of their invoices their name tells. */
const ONE_SIDED: ReadonlySet<ActorName> = new Set(['seller', 'buyer', 'readOnly', 'production']);

/** The organization that every listed invoice has in common; of a single pair, the side that the actor's name tells. */
function commonOrganization(answer: Listed, actor: ActorName): string | null {
  const parties = listItems(answer).map(({ sellerOrganizationId: seller, buyerOrganizationId: buyer }) =>
    actor === 'buyer' ? [buyer, seller] : [seller, buyer],
  );
  const [first = []] = parties;
  const [one, other] = first.filter((id) => parties.every((pair) => pair.includes(id)));
  // Of a stranger's invoices neither side tells which one is theirs.
  const certain = other === undefined || (ONE_SIDED.has(actor) && parties.every(([own]) => own === one));
  return certain && typeof one === 'string' ? one : null;
}

function withCounterparty(
  organizations: Organizations,
  target: Target,
  answers: ReadonlyMap<ActorName, Listed>,
): Organizations {
  const seller = answers.get('seller');
  if (organizations.buyer || target.actors.buyer || !seller) return organizations;
  const buyers = listItems(seller).map(({ buyerOrganizationId }) => buyerOrganizationId);
  const newest = buyers.find((id) => typeof id === 'string' && id !== organizations.seller);
  return typeof newest === 'string' ? { ...organizations, buyer: newest } : organizations;
}

function skew(answer: Answer | undefined): number | null {
  const date = answer && headerOf(answer, 'date');
  const at = date ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? null : at - Date.now();
}
