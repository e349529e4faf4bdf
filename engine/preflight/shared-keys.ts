import type { ActorName, Target } from '../../specs/target-file/target.ts';
import { type ApiResponse, bodyMember, isSuccess } from '../model/messages.ts';

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
  if (!actors.outsider || !showsInvoice(await list('outsider'), id)) return problems;
  const owner = (await isKeyOf('outsider', seller, buyer))
    ? 'seller'
    : (await isKeyOf('outsider', buyer, seller))
      ? 'buyer'
      : null;
  if (owner !== null) {
    problems.push(
      `actors.outsider: this key lists the invoice that the seller has just created and may create invoices only for the ${owner}, so it belongs to the ${owner}'s organization; write a key of a third organization`,
    );
  }
  return problems;
}

function isAccepted(response: ApiResponse | null): boolean {
  return response !== null && isSuccess(response);
}

/** Rejected because of the key, and not because of a missing connection, which may have one direction. */
function isRejected(response: ApiResponse | null): boolean {
  return response !== null && !isSuccess(response) && !String(bodyMember(response, 'code') ?? '').startsWith('CONN');
}

function showsInvoice(response: ApiResponse | null, id: string): boolean {
  return response !== null && isSuccess(response) && response.text.includes(id);
}
