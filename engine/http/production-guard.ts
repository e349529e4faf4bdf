import type { Target } from '../../specs/target.ts';
import { Blocked } from '../model/outcomes.ts';
import { addressOf } from '../transport/parse-url.ts';

/** The kit was about to do what it never may. Always a defect of the kit, never the target's. */
export class GuardViolation extends Error {
  override readonly name = 'GuardViolation';
}

export interface GuardedRequest {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body?: string | Buffer | null;
}

/** Methods that change nothing. */
export const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const FORM = '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const UUID = new RegExp(`^${FORM}$`, 'i');
const UUID_WITHIN = new RegExp(`(?<![0-9a-z])${FORM}(?![0-9a-z])`, 'i');

/** An id that no two records of any environment share. One that is counted may be another invoice's in production. */
export function isUniversal(id: string): boolean {
  return UUID.test(id);
}

/** Whether a path is about a record with a universal id: a server that takes it to another environment finds nothing there. */
export function isAboutOneRecord(path: string): boolean {
  return UUID_WITHIN.test(path);
}

/** An organization that there is nowhere: no environment can make an invoice for it. */
export const NOBODY = '5b0e9c1d-7a46-4f13-8d2e-91c6a3f0b7d4';

/** Whether a body asks for what no environment can make: an invoice for nobody, or a subscription without an address. */
function asksForNothing(body: GuardedRequest['body']): boolean {
  if (typeof body !== 'string') return false;
  const { buyerId, url } = asObject(body);
  return buyerId === NOBODY || typeof url === 'number';
}

function asObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Who reads what is no JSON may read anything into it.
    return {};
  }
}

/**
 * The last gate before the wire: no mutation with anything of the production actor, none that names production but for one that
 * is about a single record of the sandbox or asks for nothing that could be made, and credentials to the target's own origin only.
 * `allow.productionWrites` permits mutations with the whole credentials of the production actor, and with X-Environment PRODUCTION.
 * Throws GuardViolation; Blocked where the server itself has put a production credential into what is to be sent.
 */
export function guard(
  request: GuardedRequest,
  target: Pick<Target, 'baseUrl' | 'actors' | 'allow'>,
  mutations: boolean,
): void {
  const url = addressOf(request.url);
  const base = addressOf(target.baseUrl);
  if (url.origin !== base.origin) {
    throw new GuardViolation(`a request to ${url.origin}, which is not the target's origin`);
  }
  if (READING.has(request.method)) return;
  if (!mutations) throw new GuardViolation(`a ${request.method} in a run that only reads`);
  const behindBase = url.pathname.slice(base.pathname.length);
  const { production } = target.actors;
  const { productionWrites } = target.allow;
  const asProduction = productionWrites && isOfProductionAlone(request.headers, target.actors);
  for (const [name, value] of request.headers) {
    if (asProduction && isCredentialHeader(name)) continue;
    const ofProduction =
      value.toLowerCase().startsWith('svc_prod_') ||
      (production && (value.includes(production.key) || value.includes(production.secret)));
    if (ofProduction) throw new GuardViolation(`a ${request.method} with a production credential in ${name}`);
    const namesProduction = name.toLowerCase() === 'x-environment' && value.trim().toUpperCase() === 'PRODUCTION';
    const mayName = productionWrites && value === 'PRODUCTION';
    if (namesProduction && !mayName && !isAboutOneRecord(behindBase) && !asksForNothing(request.body)) {
      throw new GuardViolation(`a ${request.method} with X-Environment ${value}`);
    }
  }
  if (production && formsOfProduction(production).some((form) => holds(request, form))) {
    throw new Blocked(
      'target',
      `a ${request.method} was not sent: it would carry a production credential in its path or body`,
    );
  }
}

const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['x-api-key', 'x-api-secret']);

const isCredentialHeader = (name: string): boolean => CREDENTIAL_HEADERS.has(name.toLowerCase());

/** Whether a request carries the production key with its own secret, each once, and no other actor has that key. */
function isOfProductionAlone(headers: GuardedRequest['headers'], actors: Target['actors']): boolean {
  const { production, ...others } = actors;
  if (!production || Object.values(others).some((other) => other?.key === production.key)) return false;
  const carried = headers.filter(([name]) => isCredentialHeader(name));
  const holds = (wanted: string, credential: string) =>
    carried.some(([name, value]) => name.toLowerCase() === wanted && value === credential);
  return carried.length === 2 && holds('x-api-key', production.key) && holds('x-api-secret', production.secret);
}

type Production = NonNullable<Target['actors']['production']>;

const formsOf = new WeakMap<Production, readonly string[]>();

/** The production credentials as an id that a server makes up, or as a text of a target file. */
function formsOfProduction(production: Production): readonly string[] {
  const known = formsOf.get(production);
  if (known) return known;
  const forms = [production.key, production.secret].flatMap((value) => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ]);
  formsOf.set(production, forms);
  return forms;
}

function holds({ url, body }: GuardedRequest, form: string): boolean {
  return url.includes(form) || (body?.includes(form) ?? false);
}
