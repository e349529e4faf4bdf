import { newestListRequest } from '../../../engine/diagnosis/list-request.ts';
import { isUnrelatedToInvoices, notListReason } from '../../../engine/diagnosis/list-response.ts';
import { badCredentials } from '../../../engine/model/credentials.ts';
import { describeResponse, is2xx, shorten } from '../../../engine/model/messages.ts';
import type { ActorName } from '../../../specs/target-file/target.ts';
import { isUnanswered, type ReadRequests, type ReadResponse } from './read-requests.ts';

const LIST_PATH = newestListRequest(badCredentials('', null, null)).path;
const CONTRACT_PATH = '/api/v1/invoices';
const USUAL_PREFIXES = ['', '/api', '/v1'];
const MAX_SHOWN_CHARACTERS = 160;

/** The result of the search for the invoice list. */
export interface ListSearch {
  /** The base URL under which the list is; the given one if it was not found. */
  baseUrl: string;
  /** The list; null if it was not found. */
  list: ReadResponse | null;
  /** Whether the server responds at all. */
  isReachable: boolean;
  /** What was found, or what to correct. */
  line: string;
}

/** Searches for the invoice list: at the given base URL, then at usual ones of the same origin. */
export async function findList(requests: ReadRequests, actor: ActorName, variables: string): Promise<ListSearch> {
  const baseUrl = withoutSlash(requests.target.baseUrl);
  const first = await requests.get(`${baseUrl}${LIST_PATH}`, actor);
  if (isUnanswered(first)) {
    const line = `${first.field ?? 'baseUrl'}: no response from ${baseUrl}: ${first.message}; ${first.remedy}`;
    return { baseUrl, list: null, isReachable: false, line };
  }
  const failed = (line: string): ListSearch => ({ baseUrl, list: null, isReachable: true, line });
  if (first.status === 401) {
    return failed(
      `actors.${actor}: GET ${baseUrl}${CONTRACT_PATH} returns 401; correct ${variables}${prefixHint(baseUrl)}`,
    );
  }
  const reason = notListReason(first);
  if (reason === null && is2xx(first) && first.json !== undefined) {
    return { baseUrl, list: first, isReachable: true, line: `baseUrl: GET ${baseUrl}${CONTRACT_PATH} returned 200` };
  }
  if (reason === null) {
    const said = shorten(describeResponse(first), MAX_SHOWN_CHARACTERS);
    return failed(
      `baseUrl: GET ${baseUrl}${CONTRACT_PATH} returns ${said}, not a list; correct baseUrl, or run doctor once the server returns the list`,
    );
  }
  for (const other of otherBaseUrls(baseUrl)) {
    const response = await requests.get(`${other}${LIST_PATH}`, actor);
    if (isUnanswered(response) || !isList(response)) continue;
    const line = `baseUrl: ${other}, because GET ${other}${CONTRACT_PATH} returned 200, and ${baseUrl}${CONTRACT_PATH} ${reason}`;
    return { baseUrl: other, list: response, isReachable: true, line };
  }
  return failed(`baseUrl: ${baseUrl}${CONTRACT_PATH} ${reason}; correct baseUrl (host, port and path prefix)`);
}

/** The server may also return 401 because the path is wrong. */
function prefixHint(baseUrl: string): string {
  return baseUrl.includes('/api/v1') ? ', or remove /api/v1 from baseUrl, which the kit adds itself' : '';
}

/** The base URLs that users usually mean: without the path of the contract, or with a prefix. */
function otherBaseUrls(baseUrl: string): string[] {
  const { origin } = new URL(baseUrl);
  const shortened = [CONTRACT_PATH, '/api/v1', '/api', '/v1'].flatMap((end) =>
    baseUrl.endsWith(end) ? [baseUrl.slice(0, -end.length)] : [],
  );
  const prefixed = [baseUrl, origin].flatMap((start) => USUAL_PREFIXES.map((prefix) => `${start}${prefix}`));
  return [...new Set([...shortened, ...prefixed])].filter((each) => each !== baseUrl);
}

/** Whether a response is a list of invoices, without any doubt. */
function isList(response: ReadResponse): boolean {
  return (
    is2xx(response) &&
    response.json !== undefined &&
    notListReason(response) === null &&
    !isUnrelatedToInvoices(response)
  );
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
