import { type ApiResponse, bodyMember, headerValue, shorten } from '../model/messages.ts';
import { isObject } from '../records/invoice-records.ts';
import { isWebPage } from './operation-binding.ts';

type ReceivedResponse = Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json' | 'mask'>;

/** What the answers of the service say of who gave them: names of its `Server` and `Via` headers, without versions. */
export type ServiceMarks = ReadonlySet<string>;

const MAX_NAME_LENGTH = 60;

/**
 * That an answer looks as if something between the kit and the service had given it: a 403, a 404 or a web page, without the error
 * body of the contract and without a mark of the service. Null where the service itself may have. `marks` is null as long as the
 * service has given no answer. It is a hint for the reader of a message and decides nothing.
 */
export function intermediaryHint(response: ReceivedResponse, marks: ServiceMarks | null): string | null {
  const { status } = response;
  if (status !== 403 && status !== 404 && !isWebPage(response)) return null;
  if (isServiceBody(response)) return null;
  const own = serverMarksOf(response);
  if (marks !== null && own.some((mark) => marks.has(mark))) return null;
  // Where neither tells who it is, nothing speaks against the service; and a 404 may be its own, to a wrong path.
  if (own.length === 0 && (marks === null ? status === 404 : marks.size === 0)) return null;
  return `this looks like an intermediary, not the service (${describeServer(response)})`;
}

/** What a server says, nginx for one, that would not read a request without a client certificate. */
const CERTIFICATE_DEMAND = /\bSSL certificate\b|\bclient certificate\b/i;

/** Whether something in front of the service refused a request for want of a client certificate, or for a wrong one. */
export function demandsCertificate(response: ReceivedResponse): boolean {
  const { status, text } = response;
  return status >= 400 && status < 500 && !isServiceBody(response) && CERTIFICATE_DEMAND.test(text);
}

/** The names that an answer gives to its server and to those on its way. */
export function serverMarksOf({ headers }: Pick<ApiResponse, 'headers'>): string[] {
  const servers = (headerValue({ headers }, 'server') ?? '').split(/[\s/(]/, 1).filter((name) => name !== '');
  const vias = (headerValue({ headers }, 'via') ?? '')
    .split(',')
    // `1.1 proxy.example (squid/5.7)`: behind the version stands the name.
    .map((each) => each.trim().split(/\s+/)[1] ?? '')
    .filter((name) => name !== '');
  return [...servers.map((name) => `server ${name.toLowerCase()}`), ...vias.map((name) => `via ${name.toLowerCase()}`)];
}

/** JSON as the service gives it: anything that is no error, or the error body of the contract. */
export function isServiceBody(response: ReceivedResponse): boolean {
  const { status, json } = response;
  if (json === undefined) return false;
  if (status < 400) return isObject(json) || Array.isArray(json);
  return typeof bodyMember(response, 'error') === 'string' || typeof bodyMember(response, 'code') === 'string';
}

function describeServer({ headers, mask }: Pick<ApiResponse, 'headers' | 'mask'>): string {
  const [server, via] = [headerValue({ headers }, 'server'), headerValue({ headers }, 'via')];
  const told = [
    `server: ${server === undefined ? 'not told' : shorten(mask(server), MAX_NAME_LENGTH)}`,
    ...(via === undefined ? [] : [`via: ${shorten(mask(via), MAX_NAME_LENGTH)}`]),
  ];
  return told.join(', ');
}
