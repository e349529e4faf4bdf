import type { Call } from '../../service/call.ts';
import type { CreateInput } from '../../service/inputs.ts';
import { rejections } from '../../service/rejection.ts';
import type { Connection } from '../../service/store.ts';

/** "A connection not in the expected status yields CONN010 (412). An unknown or inaccessible connection yields CONN003 (404)." */
export function findConnection(
  { world: environment, organizationId }: Call,
  { sellerId, buyerId }: CreateInput,
): Connection {
  // A connection of two other organizations must look like an unknown one.
  const accessible = organizationId === sellerId || organizationId === buyerId;
  const connection = accessible
    ? environment.connections.find(
        ({ organizationIds }) =>
          sellerId !== buyerId && organizationIds.includes(sellerId) && organizationIds.includes(buyerId),
      )
    : undefined;
  if (!connection) throw rejections.connectionNotFound();
  // "A seller creates an invoice for a buyer": not the buyer for itself.
  if (organizationId !== sellerId) throw rejections.wrongParty();
  if (connection.status !== 'ACTIVE') throw rejections.connectionNotActive();
  return connection;
}
