import type { ActorName, Target } from '../../specs/target-file/target.ts';
import { isCreationForbidden } from '../diagnosis/list-response.ts';
import { type ApiResponse, bodyMember, describeResponse, isSuccess, shorten } from '../model/messages.ts';
import { decodedText } from '../records/decoded-text.ts';
import { listItems } from '../records/invoice-records.ts';

const MAX_SHOWN_CHARACTERS = 120;

/** The requests of a trial; null if there is no response. */
export interface TrialRequests {
  create: (as: ActorName, sellerId: string, buyerId: string) => Promise<ApiResponse | null>;
  list: (as: ActorName) => Promise<ApiResponse | null>;
}

/**
 * Detects keys of one organization under two actors: such a key reads and creates invoices of the other actor.
 * A server that breaks only one of these requirements is judged by the checks.
 */
export async function sharedKeyProblems(
  { actors }: Pick<Target, 'actors'>,
  { create, list }: TrialRequests,
  { id, seller, buyer }: { id: string; seller: string; buyer: string },
): Promise<string[]> {
  const problems: string[] = [];
  // A server that lets every key create for every organization accepts both directions.
  const isKeyOf = async (as: ActorName, own: string, other: string) =>
    isAccepted(await create(as, own, other)) && isRejected(await create(as, other, own));
  if (actors.buyer && (await isKeyOf('buyer', seller, buyer))) {
    problems.push(
      `actors.buyer: this key may create invoices for the seller (${seller}) but not for the buyer (${buyer}), so it belongs to the seller's organization; write a key of the buyer's organization`,
    );
  }
  if (actors.readOnly && (await isKeyOf('readOnly', buyer, seller))) {
    problems.push(
      `actors.readOnly: this key may create invoices for the buyer (${buyer}) but not for the seller (${seller}), so it is a key of the buyer that may change data; write a read-only key of the seller's organization`,
    );
  }
  const listed = actors.outsider ? await list('outsider') : null;
  if (!listed || !showsInvoice(listed, id)) return problems;
  const owner = (await isKeyOf('outsider', seller, buyer))
    ? 'seller'
    : (await isKeyOf('outsider', buyer, seller))
      ? 'buyer'
      : null;
  if (owner !== null) {
    problems.push(
      `actors.outsider: this key lists the invoice that the seller has just created and may create invoices only for the ${owner}, so it belongs to the ${owner}'s organization; write a key of a third organization`,
    );
  } else if (namesOneInEach(listed, [seller, buyer])) {
    const forbidden = await forbiddenCreation(create, [
      [seller, buyer],
      [buyer, seller],
      [actors.outsider?.organizationId ?? seller, buyer],
    ]);
    if (forbidden !== null)
      problems.push(readOnlyOutsiderText(forbidden, actors.outsider?.organizationId !== undefined));
  }
  return problems;
}

/**
 * Whether every listed invoice belongs to one of these organizations, as for a key of that organization. The list of a third
 * organization's key shows other invoices, too, even if a defective server adds these.
 */
function namesOneInEach(listed: ApiResponse, ids: readonly string[]): boolean {
  const records = listItems(listed);
  const names = (id: string) =>
    records.every(({ sellerOrganizationId, buyerOrganizationId }) =>
      [sellerOrganizationId, buyerOrganizationId].some((each) => String(each).toLowerCase() === id.toLowerCase()),
    );
  return records.length > 0 && ids.some(names);
}

/** The last rejection if the outsider's key may create no invoice; null if one creation is not forbidden. */
async function forbiddenCreation(
  create: TrialRequests['create'],
  parties: readonly (readonly [seller: string, buyer: string])[],
): Promise<ApiResponse | null> {
  let last: ApiResponse | null = null;
  for (const [seller, buyer] of parties) {
    last = await create('outsider', seller, buyer);
    if (last === null || !isCreationForbidden(last)) return null;
  }
  return last;
}

function readOnlyOutsiderText(forbidden: ApiResponse, hasId: boolean): string {
  const said = shorten(describeResponse(forbidden), MAX_SHOWN_CHARACTERS);
  return `actors.outsider: this key lists the invoice that the seller has just created, and only invoices of the seller or the buyer, and may create none (${said}), as a read-only key of their organization; write a key of a third organization that may create invoices${hasId ? '' : ', or write actors.outsider.organizationId if it is one'}`;
}

function isAccepted(response: ApiResponse | null): boolean {
  return response !== null && isSuccess(response);
}

/** Rejected because of the key, and not because of a missing connection, which may have one direction. */
function isRejected(response: ApiResponse | null): boolean {
  return response !== null && !isSuccess(response) && !String(bodyMember(response, 'code') ?? '').startsWith('CONN');
}

function showsInvoice(response: ApiResponse, id: string): boolean {
  return isSuccess(response) && decodedText(response.text).includes(id);
}
