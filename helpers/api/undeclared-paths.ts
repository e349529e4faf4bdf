import { isObject } from '../../engine/records/invoice-records.ts';
import type { CheckContext } from '../context/check.ts';
import { recordAction } from '../context/invoice-history.ts';
import { sharedResult } from '../context/shared-result.ts';
import type { Credentials } from './invalid-credentials.ts';
import { INVOICES_PATH, listInvoicesBy, withSharedLocks } from './operations.ts';
import { buildBoundRequest } from './requests.ts';
import { type ApiResponse, bodyMember, isSuccess, responseOrNull } from './responses.ts';

/** Another spelling of a declared path. A router may treat it as that path, while a guard that compares texts does not. */
export type Spelling = (path: string) => string;

const firstLetterEncoded: Spelling = (path) =>
  path.replace(/[a-z]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Joins the segments of a path in another way. */
const joinedBy =
  (separator: string): Spelling =>
  (path) =>
    `/${path.slice(1).replaceAll('/', separator)}`;

/** Spellings of any path, also of one with an id. */
export const PLAIN_SPELLINGS: readonly Spelling[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => `${path};a=b`,
];

/** Spellings of the path of the list: variants of the text, and ways around a guard that leaves some paths public. */
const LIST_SPELLINGS: readonly Spelling[] = [
  ...PLAIN_SPELLINGS,
  firstLetterEncoded,
  (path) => path.toUpperCase(),
  (path) => `${path}.json`,
  joinedBy('//'),
  joinedBy('%2F'),
  joinedBy(';a=b/'),
  // The transport resolves plain dot segments, as the production guard does, so these are encoded or have a parameter.
  (path) => `/health/..;${path}`,
  (path) => `/health;/%2e%2e%2F${path.slice(1)}`,
  (path) => `/actuator/..;${path}`,
  (path) => `/public/..%2F${path.slice(1)}`,
];

/** Whether a response lists invoices. Another page of the server may have items, too. */
export function isInvoiceList(response: ApiResponse): boolean {
  const items = bodyMember(response, 'items');
  if (!isSuccess(response) || !Array.isArray(items) || typeof bodyMember(response, 'total') !== 'number') return false;
  return items.every((item) => isObject(item) && 'amount' in item && 'status' in item);
}

/**
 * The spellings under which this server lists invoices for valid credentials. Under the others it has no list that a request
 * without credentials could reach.
 */
export const servedSpellings = sharedResult(async (ctx): Promise<readonly Spelling[]> => {
  const separate = ctx.withSeparateEvidence();
  const isServed = await Promise.all(
    LIST_SPELLINGS.map(async (spelling) => {
      const response = await responseOrNull(() => listInvoicesBy(separate, { path: spelling(INVOICES_PATH) }));
      return response !== null && isInvoiceList(response);
    }),
  );
  return LIST_SPELLINGS.filter((_, at) => isServed[at]);
});

/** How a request about one invoice differs from the declared one. */
export interface Detour {
  spelling?: Spelling;
  method?: string;
  headers?: readonly (readonly [string, string])[];
}

/**
 * Sends a bound request about one invoice by a detour, which the contract does not declare. Null without a response.
 */
export async function sendByDetour(
  ctx: CheckContext,
  operation: 'read' | 'submit',
  id: string,
  as: Credentials,
  { spelling = (path) => path, method, headers = [] }: Detour,
): Promise<ApiResponse | null> {
  const declared = buildBoundRequest(ctx, operation, { as, headers }, { id });
  const [path = '', ...query] = declared.path.split('?');
  const request = {
    ...declared,
    method: method ?? declared.method,
    path: [spelling(path), ...query].join('?'),
    skipExchangeRules: true as const,
    mayEndWithoutResponse: true as const,
  };
  const response = await withSharedLocks(ctx, () => responseOrNull(() => ctx.send(request)));
  if (operation === 'submit' && response) recordAction(ctx.run, id, response);
  return response;
}

/** A path that most services serve without credentials. */
export const PUBLIC_PATH = '/health';

/** Headers that name the path of a request, as proxies and some frameworks use them. */
export const namingPath = (path: string): [string, string][] =>
  ['X-Original-URL', 'X-Rewrite-URL', 'X-Original-URI', 'X-Forwarded-Uri'].map((name) => [name, path]);

/** Headers that name the method of a request, as some frameworks read them. */
export const namingMethod = (method: string): [string, string][] =>
  ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((name) => [name, method]);
