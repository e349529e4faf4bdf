import type { Credentials } from '../model/credentials.ts';
import type { ApiRequest } from '../model/messages.ts';

const NEWEST_LIST_PATH = '/api/v1/invoices?page=0&limit=100&sortBy=createdAt&sortOrder=desc';

/** The request for the newest invoices, with which the kit finds out whether the service is available. */
export function newestListRequest({ actorLabel, actor, headers: credentials }: Credentials): ApiRequest {
  return { operation: 'list', method: 'GET', path: NEWEST_LIST_PATH, actorLabel, actor, credentials };
}
