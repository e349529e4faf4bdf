import type { Credentials } from '../model/credentials.ts';
import type { ApiRequest } from '../model/messages.ts';

const PATH = '/api/v1/invoices?page=0&limit=100&sortBy=createdAt&sortOrder=desc';

/** Asks for the newest invoices: the list by which the kit finds out whether the service is there. */
export function listAsk({ as, actor, headers: credentials }: Credentials): ApiRequest {
  return { operation: 'list', method: 'GET', path: PATH, as, actor, credentials };
}
