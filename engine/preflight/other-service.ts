import type { ActorName, Target } from '../../specs/target-file/target.ts';
import { newestListRequest } from '../diagnosis/list-request.ts';
import { isUnrelatedToInvoices } from '../diagnosis/list-response.ts';
import { responseOrNull } from '../diagnosis/optional-response.ts';
import type { Client } from '../http/client.ts';
import { badCredentials } from '../model/credentials.ts';
import {
  type ApiResponse,
  describeResponse,
  describeTypedResponse,
  hasSameBody,
  isSuccess,
  shorten,
} from '../model/messages.ts';

/** Statuses that the service itself may return to every actor: keys, quotas and outages. */
const SERVICE_WIDE_STATUSES: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);
/** Statuses that the service may return for one operation, but not for every path. */
const SINGLE_OPERATION_STATUSES: ReadonlySet<number> = new Set([403, 500]);
const NONEXISTENT_PATH = '/api/v1/no-operation-has-this-path';
const MAX_SHOWN_CHARACTERS = 120;

type ActorResponses = readonly (readonly [ActorName, ApiResponse])[];

/**
 * The problem if another service runs at the base URL: its lists contain no invoice, or it rejects every key alike, and
 * credentials make no difference. Null if it may be the service under test, possibly with a defect.
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
  return `baseUrl: ${target.baseUrl}/api/v1/invoices returns the same response with and without credentials (${said}), and the response contains no invoices, so another service is running at this address; correct baseUrl (host, port and path prefix)`;
}

/**
 * The problem if every key, a request without credentials and a path that does not exist get the same successful response, as from
 * a mock. Null if one response differs.
 */
export async function constantResponseProblem(
  target: Target,
  client: Client,
  received: ActorResponses,
): Promise<string | null> {
  const [first, ...others] = received.map(([, response]) => response);
  if (!first || !isSuccess(first)) return null;
  const isSame = (other: ApiResponse | null) => other?.status === first.status && hasSameBody(other, first);
  if (!others.every(isSame) || !isSame(await listWithoutCredentials(client))) return null;
  if (!isSame(await requestNonexistentPath(client))) return null;
  const said = describeTypedResponse(first, MAX_SHOWN_CHARACTERS);
  return `baseUrl: ${target.baseUrl} returns the same response to every request, also without credentials and at a path that does not exist (${said}), so a mock or another service is running at this address; correct baseUrl (host, port and path prefix)`;
}

function isFromOtherService(response: ApiResponse): boolean {
  if (isSuccess(response)) return isUnrelatedToInvoices(response);
  return !SERVICE_WIDE_STATUSES.has(response.status);
}

/** The list without any credentials; null if there is no response. */
export async function listWithoutCredentials(client: Client): Promise<ApiResponse | null> {
  return await responseOrNull(client, newestListRequest(badCredentials('nobody', null, null)));
}

/** Whether a path that does not exist gets the same status. */
async function hasSameStatusEverywhere(client: Client, status: number): Promise<boolean> {
  return (await requestNonexistentPath(client))?.status === status;
}

async function requestNonexistentPath(client: Client): Promise<ApiResponse | null> {
  return await responseOrNull(client, {
    ...newestListRequest(badCredentials('nobody', null, null)),
    path: NONEXISTENT_PATH,
  });
}
