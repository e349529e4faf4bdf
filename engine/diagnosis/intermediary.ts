import { type ApiResponse, bodyMember, headerValue, shorten } from '../model/messages.ts';
import { isObject } from '../records/invoice-records.ts';
import { isWebPage } from './operation-binding.ts';

type ReceivedResponse = Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json' | 'mask'>;

/** The names in the `Server` and `Via` headers of the service's responses, without versions. */
export type ServiceMarks = ReadonlySet<string>;

const MAX_NAME_LENGTH = 60;

/**
 * A hint, which decides no verdict, that an intermediary may have sent a response: a 403, a 404 or a web page, without the error body
 * of the contract and without a mark of the service. `marks` is null until the service has responded.
 */
export function intermediaryHint(response: ReceivedResponse, marks: ServiceMarks | null): string | null {
  const { status } = response;
  if (status !== 403 && status !== 404 && !isWebPage(response)) return null;
  if (isServiceBody(response)) return null;
  const own = serverMarksOf(response);
  if (marks !== null && own.some((mark) => marks.has(mark))) return null;
  // Without marks on both sides there is no evidence of an intermediary, and the service itself may return 404 for a wrong path.
  if (own.length === 0 && (marks === null ? status === 404 : marks.size === 0)) return null;
  return `an intermediary seems to have responded, not the service (${describeServer(response)})`;
}

/** The error text of servers, such as nginx, that reject requests without a client certificate. */
const CERTIFICATE_DEMAND = /\bSSL certificate\b|\bclient certificate\b/i;

/** Whether an intermediary rejected a request because its client certificate is missing or wrong. */
export function demandsCertificate(response: ReceivedResponse): boolean {
  const { status, text } = response;
  return status >= 400 && status < 500 && !isServiceBody(response) && CERTIFICATE_DEMAND.test(text);
}

/** The names of the server and of the intermediaries in a response. */
export function serverMarksOf({ headers }: Pick<ApiResponse, 'headers'>): string[] {
  const servers = (headerValue({ headers }, 'server') ?? '').split(/[\s/(]/, 1).filter((name) => name !== '');
  const vias = (headerValue({ headers }, 'via') ?? '')
    .split(',')
    // `1.1 proxy.example (squid/5.7)`: the name follows the version.
    .map((each) => each.trim().split(/\s+/)[1] ?? '')
    .filter((name) => name !== '');
  return [...servers.map((name) => `server ${name.toLowerCase()}`), ...vias.map((name) => `via ${name.toLowerCase()}`)];
}

/** Whether the body may be the service's: JSON of a success, or the error body of the contract. */
export function isServiceBody(response: ReceivedResponse): boolean {
  const { status, json } = response;
  if (json === undefined) return false;
  if (status < 400) return isObject(json) || Array.isArray(json);
  return typeof bodyMember(response, 'error') === 'string' || typeof bodyMember(response, 'code') === 'string';
}

function describeServer({ headers, mask }: Pick<ApiResponse, 'headers' | 'mask'>): string {
  const [server, via] = [headerValue({ headers }, 'server'), headerValue({ headers }, 'via')];
  const told = [
    `server: ${server === undefined ? 'not given' : shorten(mask(server), MAX_NAME_LENGTH)}`,
    ...(via === undefined ? [] : [`via: ${shorten(mask(via), MAX_NAME_LENGTH)}`]),
  ];
  return told.join(', ');
}
