import type { ActorName } from '../../reference/fixtures/fixtures.ts';
import { createReference, type ReferenceOptions } from '../../reference/service/app.ts';

/** JSON of any shape. */
export interface Json {
  [name: string]: unknown;
  id: string;
  status: string;
  code: string;
  message: string;
  invoiceNumber: string;
  amount: string;
  total: number;
  totalPages: number;
  items: Json[];
  available: string;
}

export interface Reply {
  status: number;
  type: string | null;
  text: string;
  body: Json;
}

export interface Sent {
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string;
  headers?: Record<string, string>;
}

export type Client = ReturnType<typeof client>;

/** A reference service in this process, and a function that calls it as one of its actors. */
export function client(options: ReferenceOptions = {}) {
  const reference = createReference({ onInternalError: console.error, ...options });
  const { actors, counterparties } = reference.fixtures;

  const send = async (
    actor: ActorName | null,
    line: string,
    { body, raw, headers = {} }: Sent = {},
  ): Promise<Reply> => {
    const [method = 'GET', path = '/'] = line.split(' ');
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const credentials = actor === null ? {} : { 'X-API-Key': actors[actor].key, 'X-API-Secret': actors[actor].secret };
    const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = {
      method,
      headers: { ...credentials, ...type, ...headers },
      ...(text === undefined ? {} : { body: text }),
    };
    return reply(await reference.fetch(new Request(`http://reference${path}`, init)));
  };

  const invoice = (more: Record<string, unknown> = {}) => ({
    sellerId: actors.seller.organizationId,
    buyerId: actors.buyer.organizationId,
    amount: '120.50',
    dueDate: '2030-02-28',
    ...more,
  });

  return {
    reference,
    actors,
    counterparties,
    send,
    /** A valid body of invoice creation. */
    invoice,
    create: async (more?: Record<string, unknown>) =>
      (await send('seller', 'POST /api/v1/invoices', { body: invoice(more) })).body,
    read: async (id: string) => (await send('seller', `GET /api/v1/invoices/${id}`)).body,
    total: async (actor: ActorName = 'seller') => (await send(actor, 'GET /api/v1/invoices')).body.total,
    act: (actor: ActorName, id: string, action: string, body?: unknown) =>
      send(
        actor,
        action === 'delete' ? `DELETE /api/v1/invoices/${id}` : `POST /api/v1/invoices/${id}/${action}`,
        body === undefined ? {} : { body },
      ),
  };
}

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  const body: Json = text === '' ? {} : JSON.parse(text);
  return { status: response.status, type: response.headers.get('Content-Type'), text, body };
}
