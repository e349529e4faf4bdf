import type { OrganizationIds } from '../../engine/target/capabilities.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { type BindingFindings, decideBindings } from './bindings.ts';
import { type GivenActors, variableFor } from './given-values.ts';
import { findServedDocument, type NamedDocument } from './openapi/document-source.ts';
import { type DocumentedBindings, findDocumentedBindings } from './openapi/documented-bindings.ts';
import { listAsActors } from './server/actor-lists.ts';
import { findList, withoutSlash } from './server/list-search.ts';
import { type ReadBindings, tryReadBindings } from './server/read-bindings.ts';
import type { ReadRequests } from './server/read-requests.ts';

/** What init has found out about the server. */
export interface Inspection {
  baseUrl: string;
  /** Whether the invoice list was found. */
  isListed: boolean;
  organizations: OrganizationIds;
  bindings: BindingFindings;
  /** One line for each thing that was found, and for each that is wrong. */
  found: string[];
  wrong: string[];
}

/** What a document alone shows, without a request. */
export function inspectDocument(baseUrl: string, named: NamedDocument | null): Inspection {
  const documented = named === null ? null : readDocument(named, baseUrl);
  return {
    baseUrl,
    isListed: false,
    organizations: {},
    bindings: decideBindings(documented?.bindings ?? null, null),
    found: documented === null ? [] : [documented.line],
    wrong: documented?.wrong ?? [],
  };
}

/** Finds out as much as read requests reveal. `named` is the document that the user has named. */
export async function inspectServer(
  requests: ReadRequests,
  given: GivenActors,
  named: NamedDocument | null,
): Promise<Inspection> {
  const { baseUrl, actors } = requests.target;
  const variables = (actor: ActorName) =>
    `${variableFor(actor, 'key', given)} and ${variableFor(actor, 'secret', given)}`;
  const lister = (['seller', 'buyer'] as const).find((actor) => actors[actor]);
  const search = lister === undefined ? null : await findList(requests, lister, variables(lister));
  const list = search?.list ?? null;
  const found = search !== null && list !== null ? [search.line] : [];
  const wrong = search !== null && list === null ? [search.line] : [];
  const isReachable = search === null || search.isReachable;
  // The base URL as the user has written it, unless the list is elsewhere.
  const base = search === null || search.baseUrl === withoutSlash(baseUrl) ? baseUrl : search.baseUrl;
  const served =
    named === null && isReachable ? await findServedDocument(requests, withoutSlash(base), lister ?? null) : named;
  const documented = served === null || 'line' in served ? null : readDocument(served, base);
  if (served !== null && 'line' in served) wrong.push(served.line);
  if (documented !== null) found.push(documented.line);
  wrong.push(...(documented?.wrong ?? []));

  let read: ReadBindings | null = null;
  let organizations: OrganizationIds = {};
  if (lister !== undefined && search !== null && list !== null) {
    const lists = await listAsActors(requests, { baseUrl: search.baseUrl, lister, list }, variables);
    organizations = lists.organizations;
    wrong.push(...lists.problems);
    const known = documented?.bindings.bindings ?? {};
    read = await tryReadBindings(requests, { baseUrl: search.baseUrl, actor: lister, list, documented: known });
  }
  return {
    baseUrl: base,
    isListed: list !== null,
    organizations,
    bindings: decideBindings(documented?.bindings ?? null, read),
    found,
    wrong,
  };
}

function readDocument(
  { name, document }: NamedDocument,
  baseUrl: string,
): { bindings: DocumentedBindings; line: string; wrong: string[] } {
  const bindings = findDocumentedBindings(document, baseUrl);
  const bound = Object.keys(bindings.bindings).length;
  const [first] = bindings.foreignReferences;
  const wrong =
    first === undefined
      ? []
      : [
          `--openapi: ${name} refers to other documents, which init does not follow (${first}); bundle it into one document`,
        ];
  return { bindings, line: `OpenAPI document ${name}: binds ${bound} operations`, wrong };
}
