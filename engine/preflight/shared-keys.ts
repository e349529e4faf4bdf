import type { ActorName, Target } from '../../specs/target.ts';
import { type ApiResponse, bodyMember, isSuccess } from '../model/messages.ts';

/** How a trial asks: null where no answer can be had. */
export interface TrialRequests {
  create: (as: ActorName, sellerId: string, buyerId: string) => Promise<ApiResponse | null>;
  list: (as: ActorName) => Promise<ApiResponse | null>;
}

/**
 * Keys of one organization under two actors: such a key sees what it should not see and writes in a name that should not be its own.
 * A server that breaks one of these sentences alone is left to the checks.
 */
export async function sharedKeyProblems(
  { actors }: Pick<Target, 'actors'>,
  { create, list }: TrialRequests,
  { id, seller, buyer }: { id: string; seller: string; buyer: string },
): Promise<string[]> {
  const problems: string[] = [];
  // A server that lets anybody create for anybody accepts the other way round, too.
  const isKeyOf = async (as: ActorName, own: string, other: string) =>
    isAccepted(await create(as, own, other)) && isRejected(await create(as, other, own));
  if (actors.buyer && (await isKeyOf('buyer', seller, buyer))) {
    problems.push(
      `actors.buyer: this key creates invoices in the name of the seller (${seller}) and none in the name of the buyer (${buyer}): it is a key of the seller's organization; name a key of the buyer's`,
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
      `actors.outsider: this key sees the invoice that the seller has just created and creates invoices in the name of the ${owner} alone: it is a key of the ${owner}'s organization; name a key of a third one`,
    );
  }
  return problems;
}

function isAccepted(response: ApiResponse | null): boolean {
  return response !== null && isSuccess(response);
}

/** Refused for who asks, and not for want of a connection, which may be of one direction. */
function isRejected(response: ApiResponse | null): boolean {
  return response !== null && !isSuccess(response) && !String(bodyMember(response, 'code') ?? '').startsWith('CONN');
}

function showsInvoice(response: ApiResponse | null, id: string): boolean {
  return response !== null && isSuccess(response) && response.text.includes(id);
}
