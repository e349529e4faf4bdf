import type { Target } from '../../specs/target-file/target.ts';
import { Blocked } from '../model/outcomes.ts';

/** The kit was about to send a forbidden request. Always a defect of the kit, never of the target. */
export class GuardError extends Error {
  override readonly name = 'GuardError';
}

export interface GuardedRequest {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body?: string | Buffer | null;
}

type GuardedTarget = Pick<Target, 'baseUrl' | 'actors' | 'allow'>;

/** Methods that change nothing. */
export const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');
const UUID_IN_PATH = new RegExp(`(?<![0-9a-z])${UUID_PATTERN}(?![0-9a-z])`, 'i');

/** A ULID, an object id or a random text, after a prefix such as `inv_`. */
const LONG_TEXT = /[0-9a-z]{16,}/gi;
const MIN_DISTINCT_CHARACTERS = 8;
const MIN_CHANGES = 4;

/** Whether letters and digits alternate as in a random text, and not as in `INV2026000000000123`. */
function isRandomText(text: string): boolean {
  const changes = text.match(/\d(?=[a-z])|[a-z](?=\d)/gi) ?? [];
  return changes.length >= MIN_CHANGES && new Set(text.toLowerCase()).size >= MIN_DISTINCT_CHARACTERS;
}

/** Whether an id is unique across environments. A sequential id may name another invoice in production. */
export function isUniqueId(id: string): boolean {
  return UUID.test(id) || (id.match(LONG_TEXT) ?? []).some(isRandomText);
}

/** Whether a path contains an id that does not exist in another environment. */
export function hasUniqueId(path: string): boolean {
  return UUID_IN_PATH.test(path) || (path.match(LONG_TEXT) ?? []).some(isRandomText);
}

/** An organization that does not exist in any environment. */
export const NONEXISTENT_ORGANIZATION_ID = '5b0e9c1d-7a46-4f13-8d2e-91c6a3f0b7d4';

/** Whether no environment can carry out the request: an invoice for a nonexistent organization, or a subscription without a URL. */
function isImpossibleRequest(body: GuardedRequest['body']): boolean {
  if (typeof body !== 'string') return false;
  const { buyerId, url } = parseObject(body);
  return buyerId === NONEXISTENT_ORGANIZATION_ID || typeof url === 'number';
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // A server may read anything into a body that is not JSON.
    return {};
  }
}

/** The last test before a request is sent. */
export class ProductionGuard {
  private readonly target: GuardedTarget;
  private readonly base: URL;
  /** Whether `allow.productionWrites` applies: another actor with the production key would be mistaken for production. */
  private readonly mayWriteInProduction: boolean;
  /** The forms of the production credentials that no path or body may contain. */
  private readonly encodings: readonly string[];

  constructor(target: GuardedTarget) {
    this.target = target;
    this.base = new URL(target.baseUrl);
    const { production, ...others } = target.actors;
    const isKeyShared = Object.values(others).some((other) => other?.key === production?.key);
    this.mayWriteInProduction = target.allow.productionWrites && !isKeyShared;
    this.encodings = production ? productionEncodings(production) : [];
  }

  /**
   * Forbids mutations with a production credential, and mutations that name production unless they concern a single record of the
   * sandbox or can have no effect. Credentials go to the origin of the target only. `allow.productionWrites` permits mutations
   * with the complete credentials of the production actor, and with X-Environment PRODUCTION. Throws GuardError; Blocked if a
   * production credential is in the path or body, where a response of the server may have put it.
   */
  assertMayBeSent(request: GuardedRequest, mutations: boolean): void {
    // The transport parses the URL in the same way.
    const url = new URL(request.url);
    if (url.origin !== this.base.origin) {
      throw new GuardError(`a request to ${url.origin}, which is not the target's origin`);
    }
    if (READ_METHODS.has(request.method)) return;
    if (!mutations) throw new GuardError(`a ${request.method} in a run that only reads`);
    this.assertHeaders(request, url.pathname.slice(this.base.pathname.length));
    if (this.encodings.some((form) => containsEncoding(request, form))) {
      throw new Blocked(
        'target',
        `a ${request.method} was not sent: it would carry a production credential in its path or body`,
      );
    }
  }

  private assertHeaders(request: GuardedRequest, behindBase: string): void {
    const { production } = this.target.actors;
    const { productionWrites } = this.target.allow;
    const asProduction = this.mayWriteInProduction && hasOnlyCredentials(request.headers, production);
    for (const [name, value] of request.headers) {
      if (asProduction && isCredentialHeader(name)) continue;
      const ofProduction =
        value.toLowerCase().startsWith('svc_prod_') ||
        (production && (value.includes(production.key) || value.includes(production.secret)));
      if (ofProduction) throw new GuardError(`a ${request.method} with a production credential in ${name}`);
      const namesProduction = name.toLowerCase() === 'x-environment' && value.trim().toUpperCase() === 'PRODUCTION';
      const mayName = productionWrites && value === 'PRODUCTION';
      if (namesProduction && !mayName && !hasUniqueId(behindBase) && !isImpossibleRequest(request.body)) {
        throw new GuardError(`a ${request.method} with X-Environment ${value}`);
      }
    }
  }
}

const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['x-api-key', 'x-api-secret']);

const isCredentialHeader = (name: string): boolean => CREDENTIAL_HEADERS.has(name.toLowerCase());

type ProductionActor = NonNullable<Target['actors']['production']>;

/** Whether a request carries the production key with its own secret, each once. */
function hasOnlyCredentials(headers: GuardedRequest['headers'], production: ProductionActor | undefined): boolean {
  if (!production) return false;
  const carried = headers.filter(([name]) => isCredentialHeader(name));
  const holds = (wanted: string, credential: string) =>
    carried.some(([name, value]) => name.toLowerCase() === wanted && value === credential);
  return carried.length === 2 && holds('x-api-key', production.key) && holds('x-api-secret', production.secret);
}

/** The forms in which a production credential may appear in an id of the server or a text of the target file. */
function productionEncodings(production: ProductionActor): readonly string[] {
  const forms = [production.key, production.secret].flatMap((value) => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ]);
  return [...new Set(forms)];
}

function containsEncoding({ url, body }: GuardedRequest, form: string): boolean {
  return url.includes(form) || (body?.includes(form) ?? false);
}
