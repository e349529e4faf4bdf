import type { ActorName, Target } from '../../specs/target-file/target.ts';
import type { JsonObject } from '../records/invoice-records.ts';
import type { OrganizationIds } from '../target/capabilities.ts';
import { hasUuidForm, notUuidText } from '../target/validation/organization-problems.ts';

/** The records that each actor's list shows. */
export type ListedRecords = ReadonlyMap<ActorName, readonly JsonObject[]>;

/** Actors whose name determines their role in an invoice. */
const SINGLE_ROLE_ACTORS: ReadonlySet<ActorName> = new Set(['seller', 'buyer', 'readOnly', 'production']);
/** Actors of the seller's organization. */
const SELLER_ORGANIZATION_ACTORS = ['readOnly', 'production'] as const;
/** Part of the description of every invoice that the kit creates. */
const KIT_MARK = '(conformance ';

/** The two organizations of a record, the seller's first. */
function partiesOf({ sellerOrganizationId, buyerOrganizationId }: JsonObject): string[] {
  return [sellerOrganizationId, buyerOrganizationId].filter((id) => typeof id === 'string');
}

/** UUIDs ignore case. */
function isSameId(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

function includesId(ids: readonly string[], id: string): boolean {
  return ids.some((each) => isSameId(each, id));
}

/** The organizations that every record has in common; empty if a record does not name two. */
function commonParties(records: readonly JsonObject[]): string[] {
  const [first, ...others] = records.map(partiesOf);
  if ([first, ...others].some((parties) => parties?.length !== 2)) return [];
  return [...new Set(first ?? [])].filter((id) => others.every((parties) => includesId(parties, id)));
}

/** Whether the records show the organization of an actor by themselves, without its role. */
export function showOrganization(records: readonly JsonObject[]): boolean {
  return commonParties(records).length === 1;
}

/** An actor's organization, derived from its records. If they all have the same two parties, the actor's role decides. */
export function discoverOrganization(actor: ActorName, records: readonly JsonObject[]): string | null {
  const common = commonParties(records);
  if (common.length === 1) return common[0] ?? null;
  if (common.length === 0 || !SINGLE_ROLE_ACTORS.has(actor)) return null;
  const own = ({ sellerOrganizationId, buyerOrganizationId }: JsonObject) =>
    actor === 'buyer' ? buyerOrganizationId : sellerOrganizationId;
  const [first] = records;
  const id = first && own(first);
  return typeof id === 'string' && records.every((record) => isSameId(own(record), id)) ? id : null;
}

/** Adds organizations from other actors' records: the seller's from its other keys, the buyer's from the seller's invoices. */
export function completeOrganizations(found: OrganizationIds, target: Target, listed: ListedRecords): OrganizationIds {
  const seller = found.seller ?? SELLER_ORGANIZATION_ACTORS.map((actor) => found[actor]).find((id) => id !== undefined);
  const known = seller === undefined ? found : { ...found, seller };
  if (known.buyer || target.actors.buyer) return known;
  const buyers = (listed.get('seller') ?? []).map(({ buyerOrganizationId }) => buyerOrganizationId);
  const newest = buyers.find((id) => typeof id === 'string' && !isSameId(id, seller));
  return typeof newest === 'string' ? { ...known, buyer: newest } : known;
}

/** The contradictions between the server's records and the target file: one line for each field. */
export function organizationContradictions(target: Target, found: OrganizationIds, listed: ListedRecords): string[] {
  const seller = wrongOrganizationProblems(target, 'seller', found, listed);
  return [
    ...seller,
    ...(['buyer', 'outsider'] as const).flatMap((actor) => wrongOrganizationProblems(target, actor, found, listed)),
    ...sharedOrganizationProblems(target, listed),
    // A wrong organization of the seller cannot be compared with others.
    ...(seller.length > 0
      ? []
      : SELLER_ORGANIZATION_ACTORS.flatMap((actor) => sellerMismatchProblems(actor, found, listed))),
    ...readOnlyKeyProblems(target, listed),
    ...counterpartyProblems(target, found),
    ...counterpartyIdProblems(target, found),
    ...unconnectedProblems(target, found, listed),
  ];
}

/** Whether all invoices of seller and buyer name the two organizations in opposite roles. */
export function hasSwappedOrganizations({ actors }: Target, listed: ListedRecords): boolean {
  const [seller, buyer] = [actors.seller?.organizationId, actors.buyer?.organizationId];
  const records = [...(listed.get('seller') ?? []), ...(listed.get('buyer') ?? [])];
  if (!seller || !buyer || records.length === 0) return false;
  return records.every(
    (record) => isSameId(record.sellerOrganizationId, buyer) && isSameId(record.buyerOrganizationId, seller),
  );
}

function wrongOrganizationProblems(
  target: Target,
  actor: ActorName,
  found: OrganizationIds,
  listed: ListedRecords,
): string[] {
  const given = target.actors[actor]?.organizationId;
  const records = listed.get(actor) ?? [];
  const common = commonParties(records);
  if (given === undefined || common.length === 0 || includesId(common, given)) return [];
  // A server may show the outsider foreign invoices by mistake, which is judged by checks.
  if (actor === 'outsider' && common.every((id) => isSameId(id, found.seller) || isSameId(id, found.buyer))) return [];
  return [
    `actors.${actor}.organizationId: not all of the ${records.length} invoices that this key lists name ${given}, but all of them name ${common.join(' and ')}; write the organization id of this key, or correct the key`,
  ];
}

function sharedOrganizationProblems(target: Target, listed: ListedRecords): string[] {
  const [seller, buyer, outsider] = (['seller', 'buyer', 'outsider'] as const).map((actor) => {
    const [only, other] = commonParties(listed.get(actor) ?? []);
    return other === undefined ? only : undefined;
  });
  const lines: string[] = [];
  if (seller !== undefined && isSameId(seller, buyer)) {
    lines.push(
      `actors.buyer: this key belongs to ${buyer}, the organization of actors.seller; write a key of another organization`,
    );
  }
  if (outsider !== undefined && (isSameId(outsider, seller) || isSameId(outsider, buyer))) {
    const whose = isSameId(outsider, seller) ? 'seller' : 'buyer';
    lines.push(
      `actors.outsider: this key belongs to ${outsider}, the organization of actors.${whose}; write a key of a third organization`,
    );
  }
  return target.actors.seller ? lines : [];
}

function sellerMismatchProblems(
  actor: 'readOnly' | 'production',
  { seller }: OrganizationIds,
  listed: ListedRecords,
): string[] {
  const common = commonParties(listed.get(actor) ?? []);
  if (seller === undefined || common.length === 0 || includesId(common, seller)) return [];
  return [
    `actors.${actor}: the invoices of this key belong to ${common.join(' and ')}, not to the seller's organization ${seller}; write a key of the seller's organization`,
  ];
}

/** Other users may create or delete an invoice while the lists are read. */
const MAX_CONCURRENT_CHANGES = 1;
/** New invoices push the last ones off a full page. */
const STABLE_LIST_LENGTH = 90;

/** A read-only key belongs to the buyer if it lists only the buyer's invoices and none that only the seller lists. */
function readOnlyKeyProblems({ actors }: Target, listed: ListedRecords): string[] {
  if (!actors.readOnly || !actors.seller || !actors.buyer) return [];
  const [sellers, buyers, shown] = (['seller', 'buyer', 'readOnly'] as const).map((actor) =>
    (listed.get(actor) ?? []).slice(0, STABLE_LIST_LENGTH).map(({ id }) => String(id)),
  ) as [string[], string[], string[]];
  const sellersAlone = sellers.filter((id) => !buyers.includes(id));
  const isSeller = sellersAlone.some((id) => shown.includes(id));
  const isBuyer = shown.length > 0 && shown.filter((id) => !buyers.includes(id)).length <= MAX_CONCURRENT_CHANGES;
  if (isSeller || !isBuyer || sellersAlone.length <= MAX_CONCURRENT_CHANGES) return [];
  return [
    "actors.readOnly: this key lists the invoices of actors.buyer, but none of those that only actors.seller lists; write a key of the seller's organization",
  ];
}

/** The seller and the buyer are connected: neither is a counterparty without an active connection. */
function counterpartyProblems({ counterparties }: Target, { seller, buyer }: OrganizationIds): string[] {
  return (['unconnected', 'suspended'] as const).flatMap((name) => {
    const id = counterparties[name];
    const whose =
      id === undefined ? undefined : isSameId(id, buyer) ? 'buyer' : isSameId(id, seller) ? 'seller' : undefined;
    return whose === undefined
      ? []
      : [`counterparties.${name}: ${id} is the organization of actors.${whose}; write the id of another organization`];
  });
}

/** The ids of seller and buyer may come from invoices; the target file is validated without these. */
function counterpartyIdProblems({ counterparties }: Target, { seller, buyer }: OrganizationIds): string[] {
  if (![seller, buyer].some((id) => id !== undefined && hasUuidForm(id))) return [];
  return (['unconnected', 'suspended'] as const)
    .filter((name) => counterparties[name] !== undefined && !hasUuidForm(counterparties[name]))
    .map((name) => notUuidText(`counterparties.${name}`, "the ids in the seller's invoices"));
}

/** An invoice with an organization proves a connection, unless an earlier run of the kit has created it. */
function unconnectedProblems(
  { counterparties: { unconnected } }: Target,
  { seller, buyer }: OrganizationIds,
  listed: ListedRecords,
): string[] {
  if (unconnected === undefined || isSameId(unconnected, seller) || isSameId(unconnected, buyer)) return [];
  const isProof = (record: JsonObject) =>
    includesId(partiesOf(record), unconnected) &&
    typeof record.description === 'string' &&
    !record.description.includes(KIT_MARK);
  const proof = (listed.get('seller') ?? []).find(isProof);
  if (!proof) return [];
  return [
    `counterparties.unconnected: the seller lists invoice ${String(proof.id)} with ${unconnected}; write the id of an organization that never had a connection with the seller`,
  ];
}
