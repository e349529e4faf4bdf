import type { ActorName, Target } from '../../specs/target.ts';
import { newestListRequest } from '../diagnosis/list-request.ts';
import { isUnrelatedToInvoices } from '../diagnosis/list-response.ts';
import { responseOrNull } from '../diagnosis/response-or-null.ts';
import type { Client } from '../http/client.ts';
import { badCredentials } from '../model/credentials.ts';
import { type ApiResponse, describeResponse, isSuccess, shorten } from '../model/messages.ts';

/** Statuses of which the service may be the reason, whoever asks: keys, quotas and outages. */
const SERVICE_WIDE_STATUSES: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);
/** A list that crashes or is forbidden to everybody is the service's own; a whole address that answers so is not. */
const SINGLE_OPERATION_STATUSES: ReadonlySet<number> = new Set([403, 500]);
const NONEXISTENT_PATH = '/api/v1/no-operation-has-this-path';
const MAX_SHOWN_CHARACTERS = 120;

type ActorResponses = readonly (readonly [ActorName, ApiResponse])[];

/**
 * Whether another service answers at the base URL: nothing in its lists is an invoice, or it gives every key the same refusal, and
 * credentials make no difference to it. Null where it may be the service, which may be broken in one of these.
 */
export async function otherServiceProblem(
  target: Target,
  client: Client,
  received: ActorResponses,
): Promise<string | null> {
  const responses = received.filter(([name]) => name !== 'revoked').map(([, response]) => response);
  const [first] = responses;
  if (!first || !responses.every(isFromOtherService) || responses.some(({ status }) => status !== first.status))
    return null;
  const without = await listWithoutCredentials(client);
  if (!without || !(without.status === first.status || (isSuccess(first) && isSuccess(without)))) return null;
  if (isSuccess(without) && !isFromOtherService(without)) return null;
  if (SINGLE_OPERATION_STATUSES.has(first.status) && !(await hasSameStatusEverywhere(client, first.status)))
    return null;
  const said = shorten(describeResponse(first), MAX_SHOWN_CHARACTERS);
  return `baseUrl: ${target.baseUrl}/api/v1/invoices gives the same answer with and without credentials (${said}), and no invoices: another service answers there; correct baseUrl (host, port and path prefix)`;
}

function isFromOtherService(response: ApiResponse): boolean {
  if (isSuccess(response)) return isUnrelatedToInvoices(response);
  return !SERVICE_WIDE_STATUSES.has(response.status);
}

/** The list without any credentials; null where no answer can be had. */
export async function listWithoutCredentials(client: Client): Promise<ApiResponse | null> {
  return await responseOrNull(client, newestListRequest(badCredentials('nobody', null, null)));
}

/** Whether a path that does not exist gets the same status. */
async function hasSameStatusEverywhere(client: Client, status: number): Promise<boolean> {
  const ask = { ...newestListRequest(badCredentials('nobody', null, null)), path: NONEXISTENT_PATH };
  return (await responseOrNull(client, ask))?.status === status;
}
