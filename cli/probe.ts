import { describe } from '../engine/answer.ts';
import type { Organizations } from '../engine/capabilities.ts';
import type { Client } from '../engine/client.ts';
import { ConfigurationFault } from '../engine/configuration-fault.ts';
import { credentialsOf } from '../engine/credentials.ts';
import { foundIn } from '../engine/invoice-record.ts';
import { fill } from '../helpers/template.ts';
import type { Target } from '../specs/target.ts';

const DUE_IN_MS = 60 * 86_400_000;

/** Creates one small invoice over the connection, removes it where `delete` is bound, and says what happened. */
export async function probe(target: Target, { seller, buyer }: Organizations, client: Client): Promise<string> {
  if (!seller || !buyer) {
    throw new ConfigurationFault(
      '--probe: the organizations of seller and buyer are not known; give actors.seller.organizationId and actors.buyer.organizationId',
    );
  }
  const { headers, as, actor } = credentialsOf(target, 'seller');
  const body = {
    sellerId: seller,
    buyerId: buyer,
    amount: '1.00',
    dueDate: new Date(Date.now() + DUE_IN_MS).toISOString().slice(0, 10),
    description: 'conformance doctor --probe',
  };
  const created = await client.send(
    { operation: 'create', method: 'POST', path: '/api/v1/invoices', as, actor, credentials: headers, body },
    null,
  );
  if (created.status > 299) return `probe        the connection lets no invoice be created: ${describe(created)}`;
  const id = foundIn(created)?.record.id;
  const template = target.operations.delete;
  if (typeof id !== 'string' || !template)
    return `probe        created an invoice (${created.status}); it stays, since operations.delete is not bound`;
  const { path, body: deletion } = fill(template, { id, text: 'conformance doctor --probe' });
  const removed = await client.send(
    {
      operation: 'delete',
      method: template.method,
      path,
      as,
      actor,
      credentials: headers,
      ...(deletion !== undefined && { body: deletion }),
    },
    null,
  );
  return `probe        created invoice ${id} (${created.status}) and ${removed.status < 300 ? 'removed it again' : `could not remove it (${removed.status})`}`;
}
