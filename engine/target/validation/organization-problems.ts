import { ACTOR_NAMES } from '../../../specs/target-file/target.ts';
import { textAt } from './found-value.ts';
import type { Problem } from './problem.ts';

const organizationIdPath = (actor: string): readonly string[] => ['actors', actor, 'organizationId'];
const counterpartyPath = (name: string): readonly string[] => ['counterparties', name];

/** Pairs of organizations that must differ, with the advice for the first one. */
const DISTINCT_ORGANIZATIONS: readonly (readonly [
  field: readonly string[],
  other: readonly string[],
  advice: string,
])[] = [
  [
    organizationIdPath('buyer'),
    organizationIdPath('seller'),
    'write the id of the organization that actors.buyer.key belongs to',
  ],
  [
    organizationIdPath('outsider'),
    organizationIdPath('seller'),
    'write the id of a third organization, or remove actors.outsider',
  ],
  [
    organizationIdPath('outsider'),
    organizationIdPath('buyer'),
    'write the id of a third organization, or remove actors.outsider',
  ],
  [
    counterpartyPath('unconnected'),
    organizationIdPath('seller'),
    'write the id of an organization without a connection to the seller',
  ],
  [
    counterpartyPath('unconnected'),
    organizationIdPath('buyer'),
    'write the id of an organization without a connection to the seller',
  ],
  [
    counterpartyPath('suspended'),
    organizationIdPath('seller'),
    'write the id of an organization whose connection is not active',
  ],
  [
    counterpartyPath('suspended'),
    organizationIdPath('buyer'),
    'write the id of an organization whose connection is not active',
  ],
  [
    counterpartyPath('suspended'),
    counterpartyPath('unconnected'),
    'write the id of an organization with a connection that is not active, or remove this field',
  ],
];

/** Actors whose keys belong to the seller's organization by definition. */
const SELLER_ORGANIZATION_ACTORS = ['readOnly', 'production'];

/** The contradictions between the organizations that a target file gives. */
export function organizationProblems(content: unknown): Problem[] {
  const same = DISTINCT_ORGANIZATIONS.filter(([one, other]) =>
    isSameOrganization(textAt(content, one), textAt(content, other)),
  ).map(([path, other, advice]) => ({ path, text: `${path.join('.')}: is the same as ${other.join('.')}; ${advice}` }));
  return [...same, ...foreignKeyProblems(content), ...unusualIdProblems(content)];
}

/** Actors of the seller's organization with another id. If it is that of another actor, the two may be in each other's place. */
function foreignKeyProblems(content: unknown): Problem[] {
  const sellerPath = organizationIdPath('seller');
  const seller = textAt(content, sellerPath);
  if (seller === undefined) return [];
  const foreign = SELLER_ORGANIZATION_ACTORS.filter((actor) => {
    const own = textAt(content, organizationIdPath(actor));
    return own !== undefined && !isSameOrganization(own, seller);
  });
  const idOf = (actor: string) => textAt(content, organizationIdPath(actor));
  const swapped = ['buyer', 'outsider'].find(
    (other) => foreign.length > 0 && foreign.every((actor) => isSameOrganization(idOf(actor), idOf(other))),
  );
  if (swapped !== undefined) {
    const those = foreign.map((actor) => `actors.${actor}`).join(' and ');
    const text = `${sellerPath.join('.')}: differs from the id of ${those}, which is that of actors.${swapped}; swap actors.seller and actors.${swapped} if they are in each other's place, otherwise correct ${those}`;
    return [{ path: sellerPath, text }];
  }
  return foreign.map((actor) => {
    const path = organizationIdPath(actor);
    const text = `${path.join('.')}: differs from actors.seller.organizationId; write the same id, or use a key of the seller's organization`;
    return { path, text };
  });
}

const ID_PATHS: readonly (readonly string[])[] = [
  ...ACTOR_NAMES.map(organizationIdPath),
  counterpartyPath('unconnected'),
  counterpartyPath('suspended'),
];

/** Organization ids are UUIDs (Create invoice, table). A service with other ids has no UUIDs at all, so only a mixture is a mistake. */
function unusualIdProblems(content: unknown): Problem[] {
  const given = ID_PATHS.filter((path) => textAt(content, path) !== undefined);
  const hasUuidAt = (path: readonly string[]) => hasUuidForm(textAt(content, path) ?? '');
  const usual = given.find(hasUuidAt);
  if (!usual) return [];
  return given
    .filter((path) => !hasUuidAt(path))
    .map((path) => ({ path, text: notUuidText(path.join('.'), usual.join('.')) }));
}

/** One line for a field with an id that is no UUID, although the ids of `usual` are. */
export function notUuidText(field: string, usual: string): string {
  return `${field}: is not a UUID, unlike ${usual}; write the organization id that the service shows`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Of any version. */
export function hasUuidForm(id: string): boolean {
  return UUID.test(id);
}

/** UUIDs ignore case; other ids are compared exactly. */
function isSameOrganization(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return hasUuidForm(one) && hasUuidForm(other) ? one.toLowerCase() === other.toLowerCase() : one === other;
}
