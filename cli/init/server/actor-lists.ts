import { newestListRequest } from '../../../engine/diagnosis/list-request.ts';
import { badCredentials } from '../../../engine/model/credentials.ts';
import { is2xx } from '../../../engine/model/messages.ts';
import { discoverOrganization } from '../../../engine/preflight/organizations.ts';
import { type JsonObject, listItems } from '../../../engine/records/invoice-records.ts';
import type { OrganizationIds } from '../../../engine/target/capabilities.ts';
import { ACTOR_NAMES, type ActorName } from '../../../specs/target-file/target.ts';
import { isUnanswered, type ReadRequests, type ReadResponse } from './read-requests.ts';

/** The ids that the target file can hold as they are. A server may return any text. */
const WRITABLE_ID = /^[\w.:-]{1,128}$/;
/** Actors with an organization of their own. */
const OWN_ORGANIZATION_ACTORS = ['seller', 'buyer', 'outsider'] as const;

export interface ActorLists {
  /** The organizations that the invoices of the actors show. */
  organizations: OrganizationIds;
  /** Keys that the server does not treat as their actor needs. */
  problems: string[];
}

/** Lists the invoices of each further actor, and finds the organizations. `lister` has listed already. */
export async function listAsActors(
  requests: ReadRequests,
  { baseUrl, lister, list }: { baseUrl: string; lister: ActorName; list: ReadResponse },
  variables: (actor: ActorName) => string,
): Promise<ActorLists> {
  const listed = new Map<ActorName, JsonObject[]>([[lister, listItems(list)]]);
  const problems: string[] = [];
  for (const actor of ACTOR_NAMES) {
    if (actor === lister || !requests.target.actors[actor]) continue;
    const response = await requests.get(`${baseUrl}${newestListRequest(badCredentials('', null, null)).path}`, actor);
    if (isUnanswered(response)) problems.push(`actors.${actor}: no response: ${response.message}; ${response.remedy}`);
    else if (is2xx(response) !== (actor !== 'revoked')) {
      const wanted = actor === 'revoked' ? 'revoke the key, or correct' : 'correct';
      problems.push(`actors.${actor}: the list returns ${response.status}; ${wanted} ${variables(actor)}`);
    } else listed.set(actor, listItems(response));
  }
  return { organizations: findOrganizations(listed), problems };
}

function findOrganizations(listed: ReadonlyMap<ActorName, readonly JsonObject[]>): OrganizationIds {
  const found = new Map<ActorName, string>();
  for (const actor of OWN_ORGANIZATION_ACTORS) {
    const id = discoverOrganization(actor, listed.get(actor) ?? []);
    if (id !== null && WRITABLE_ID.test(id)) found.set(actor, id);
  }
  const ids = [...found.values()].map((id) => id.toLowerCase());
  // Two actors cannot share an organization, so the keys contradict their names.
  return new Set(ids).size === ids.length ? Object.fromEntries(found) : {};
}
