import type { MaskedText } from '../../../engine/model/masked-text.ts';
import type { ApiResponse, Operation } from '../../../engine/model/messages.ts';
import type { ActorName } from '../../../specs/target-file/target.ts';

/** For responses without secrets. */
export function unmasked(text: string): MaskedText {
  return text as MaskedText;
}

let count = 0;

export interface Received {
  operation?: Operation;
  path?: string;
  method?: string;
  actor?: ActorName | null;
  status?: number;
  headers?: readonly (readonly [string, string])[];
  /** Headers of the request, in addition to the credentials. */
  asked?: readonly (readonly [string, string])[];
  /** Sent as JSON; use `text` for other content. */
  json?: unknown;
  text?: string;
  sentAt?: number;
}

/** A response as the client returns it. */
export function received({
  operation = 'read',
  method = 'GET',
  path = '/api/v1/invoices/1',
  actor = 'seller',
  status = 200,
  headers = [['content-type', 'application/json']],
  asked = [],
  json,
  text,
  sentAt = 0,
}: Received): ApiResponse {
  count += 1;
  return {
    exchange: `t${count}`,
    request: { operation, method, path, actorLabel: actor ?? 'nobody', actor, credentials: [], headers: asked },
    requestLine: `${method} ${path}`,
    sentBody: null,
    status,
    headers,
    text: text ?? (json === undefined ? '' : JSON.stringify(json)),
    json,
    sentAt,
    mayHaveDuplicatedMutation: false,
    mask: unmasked,
  };
}

/** A well-formed invoice record. */
export function invoice(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'inv-1',
    invoiceNumber: 'INV-0001',
    status: 'DRAFT',
    amount: '100.00',
    currency: 'EUR',
    buyerOrganizationId: 'org-buyer',
    sellerOrganizationId: 'org-seller',
    dueDate: '2030-02-28',
    createdAt: '2029-12-01T10:00:00.000Z',
    ...changes,
  };
}

/** A list response with a correct envelope and the given changes. */
export function listAnswer(
  items: unknown,
  envelope: Record<string, unknown> = {},
  more: Pick<Received, 'path' | 'actor' | 'status'> = {},
): ApiResponse {
  const length = Array.isArray(items) ? items.length : 0;
  const json = { items, total: length, totalPages: 1, page: 0, limit: 20, ...envelope };
  return received({ operation: 'list', path: '/api/v1/invoices', json, ...more });
}
