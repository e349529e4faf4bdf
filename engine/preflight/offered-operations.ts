import { lifecycle } from '../../specs/contract/lifecycle.ts';
import type { OperationName, Target } from '../../specs/target-file/target.ts';
import { responseOrNull } from '../diagnosis/optional-response.ts';
import type { Client } from '../http/client.ts';
import { credentialsOf } from '../model/credentials.ts';
import { type ApiResponse, bodyMember, is2xx } from '../model/messages.ts';

const NONEXISTENT_ID = '0e6f2d9a-53c8-4b17-a4d0-91f7c2b8e635';
const INVOICE_PATH = `/api/v1/invoices/${NONEXISTENT_ID}`;
const NO_OPERATION = 'no-operation-has-this-path';

interface UsualRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** The usual request of an operation, which changes nothing: it only reads, or names an invoice that does not exist. */
const USUAL_REQUESTS: Partial<Record<OperationName, UsualRequest>> = {
  ...Object.fromEntries(
    lifecycle.actions.map((action) => [action, { method: 'POST', path: `${INVOICE_PATH}/${action}`, body: {} }]),
  ),
  dispute: { method: 'POST', path: `${INVOICE_PATH}/dispute`, body: { reason: 'conformance' } },
  resolve: { method: 'POST', path: `${INVOICE_PATH}/resolve`, body: { note: 'conformance' } },
  read: { method: 'GET', path: INVOICE_PATH },
  delete: { method: 'DELETE', path: INVOICE_PATH },
  treasuryBalance: { method: 'GET', path: '/api/v1/treasury/balance' },
};

/** One line for each operation that the target file declares `not-offered` and the server has at its usual path. */
export async function offeredOperations(target: Target, client: Client, mayMutate: boolean): Promise<string[]> {
  const actor = target.actors.seller ? 'seller' : 'buyer';
  const { headers: credentials, actorLabel } = credentialsOf(target, actor);
  const send = async (operation: OperationName, usual: UsualRequest) =>
    await responseOrNull(client, { operation, ...usual, actorLabel, actor, credentials });
  const notices: string[] = [];
  for (const name of target.notOffered) {
    const usual = USUAL_REQUESTS[name];
    if (!usual || (usual.method !== 'GET' && !mayMutate)) continue;
    const response = await send(name, usual);
    if (!response || !isOfOperation(usual, response)) continue;
    // A server may respond to every path alike.
    const control = await send(name, { ...usual, path: `${usual.path}/${NO_OPERATION}` });
    if (!control || isOfOperation(usual, control)) continue;
    const shown = `${usual.method} ${usual.path.replace(NONEXISTENT_ID, '{id}')}`;
    const said = is2xx(response) ? String(response.status) : '404 INV001 for an id that does not exist';
    notices.push(
      `operations.${name}: is declared not-offered, but ${shown} returns ${said}; bind it, otherwise its checks are not judged`,
    );
  }
  return notices;
}

function isOfOperation({ path }: UsualRequest, response: ApiResponse): boolean {
  if (!path.startsWith(INVOICE_PATH)) return is2xx(response) && typeof response.json === 'object';
  return response.status === 404 && bodyMember(response, 'code') === 'INV001';
}
