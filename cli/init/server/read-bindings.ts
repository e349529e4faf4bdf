import { isWebPage } from '../../../engine/diagnosis/operation-binding.ts';
import { is2xx } from '../../../engine/model/messages.ts';
import { findInvoiceRecord, isObject, listItems } from '../../../engine/records/invoice-records.ts';
import { fillTemplate } from '../../../helpers/api/requests.ts';
import type { ActorName, OperationName, OperationTemplate } from '../../../specs/target-file/target.ts';
import { isUnanswered, type ReadRequests, type ReadResponse } from './read-requests.ts';

/** The operations that only read, with their usual paths. */
const USUAL_PATHS = {
  read: ['/api/v1/invoices/{id}', '/api/v1/invoice/{id}', '/api/invoices/{id}', '/invoices/{id}'],
  treasuryBalance: ['/api/v1/treasury/balance'],
  webhookList: ['/api/v1/settings/webhooks'],
} as const;
export const READ_OPERATIONS = ['read', 'treasuryBalance', 'webhookList'] as const;
type ReadOperation = (typeof READ_OPERATIONS)[number];

const NONEXISTENT_PATH = '/api/v1/no-operation-has-this-path';

type Bindings = Partial<Record<OperationName, OperationTemplate>>;

export interface ReadBindings {
  /** The operations that returned 200. */
  answered: Bindings;
  /** The status that the first binding that was tried returned instead. */
  rejected: Partial<Record<OperationName, number>>;
}

export interface ReadContext {
  baseUrl: string;
  actor: ActorName;
  list: ReadResponse;
  /** Bindings from elsewhere, which are tried first. Only a GET is tried. */
  documented: Bindings;
}

/** Tries the reading operations: each must answer a GET with 200 and JSON. */
export async function tryReadBindings(requests: ReadRequests, context: ReadContext): Promise<ReadBindings> {
  const { baseUrl, actor, list } = context;
  // A mock may answer every path.
  const nowhere = await requests.get(`${baseUrl}${NONEXISTENT_PATH}`, actor);
  if (!isUnanswered(nowhere) && is2xx(nowhere) && !isWebPage(nowhere)) return { answered: {}, rejected: {} };
  const id = listItems(list)
    .map((item) => item.id)
    .find(isId);
  const answered: Bindings = {};
  const rejected: ReadBindings['rejected'] = {};
  for (const operation of READ_OPERATIONS) {
    if (operation === 'read' && id === undefined) continue;
    for (const template of candidates(operation, context)) {
      const { path } = fillTemplate(template, { ...(id !== undefined && { id: String(id) }) });
      const response = await requests.get(`${baseUrl}${path}`, actor);
      if (isUnanswered(response)) continue;
      if (isAnswer(operation, response, String(id))) {
        answered[operation] = template;
        break;
      }
      rejected[operation] ??= response.status;
    }
  }
  return { answered, rejected };
}

function candidates(operation: ReadOperation, { documented }: ReadContext): OperationTemplate[] {
  const known = documented[operation];
  const usual = USUAL_PATHS[operation].map((path): OperationTemplate => ({ method: 'GET', path }));
  return known?.method === 'GET' ? [known, ...usual.filter(({ path }) => path !== known.path)] : usual;
}

function isAnswer(operation: ReadOperation, response: ReadResponse, id: string): boolean {
  if (!is2xx(response) || (!isObject(response.json) && !Array.isArray(response.json))) return false;
  if (operation !== 'read') return true;
  const request = { requestLine: `GET /${encodeURIComponent(id)}`, sentBody: null };
  return String(findInvoiceRecord(response.json, request)?.record.id) === id;
}

function isId(id: unknown): id is string | number {
  return (typeof id === 'string' && id !== '') || typeof id === 'number';
}
