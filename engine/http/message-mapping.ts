import type { ApiRequest, ApiResponse } from '../model/messages.ts';
import { limitDepth } from '../records/depth-limit.ts';
import type { WireRequest, WireResponse } from '../transport/transport.ts';

const ACCEPT = ['accept', 'application/json'] as const;
const CONTENT_TYPE = ['content-type', 'application/json'] as const;

/** Names and values of the headers that the target file adds to every request. */
export type AddedHeaders = readonly (readonly [string, string])[];

/** The request for the transport. */
export function toWireRequest(base: string, ask: ApiRequest, added: AddedHeaders = []): WireRequest {
  const body = ask.body === undefined ? null : typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body);
  const given = ask.headers ? [...ask.credentials, ...ask.headers] : ask.credentials;
  const names = (header: string) => given.some(([name]) => name.toLowerCase() === header);
  const headers: (readonly [string, string])[] = names('accept') ? [] : [ACCEPT];
  if (body !== null && !ask.omitContentType && !names('content-type')) headers.push(CONTENT_TYPE);
  headers.push(...withAddedHeaders(given, added));
  return { method: ask.method, url: `${base}${ask.path}`, headers, body };
}

/** A gateway lets nothing through without its own headers, so they take the place of a check's headers of the same name. */
export function withAddedHeaders(given: AddedHeaders, added: AddedHeaders): AddedHeaders {
  if (added.length === 0) return given;
  const names = new Set(added.map(([name]) => name.toLowerCase()));
  return [...given.filter(([name]) => !names.has(name.toLowerCase())), ...added];
}

/** The response, as checks and rules see it. */
export function toApiResponse(
  { request, wire }: { request: ApiRequest; wire: WireRequest },
  {
    exchange,
    sentAt,
    mayHaveDuplicatedMutation,
    mask,
  }: Pick<ApiResponse, 'exchange' | 'sentAt' | 'mayHaveDuplicatedMutation' | 'mask'>,
  { status, headers, text, truncated }: WireResponse,
): ApiResponse {
  return {
    exchange,
    request,
    requestLine: requestLine(request),
    sentBody: wire.body === null ? null : wire.body.toString(),
    status,
    headers,
    text,
    json: truncated ? undefined : parseJsonBody(text),
    sentAt,
    mayHaveDuplicatedMutation,
    mask,
  };
}

export function requestLine(ask: Pick<ApiRequest, 'method' | 'path'>): string {
  return `${ask.method} ${ask.path}`;
}

/** The parsed body, without too deep parts; undefined if it is empty or not JSON. */
export function parseJsonBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return limitDepth(JSON.parse(text));
  } catch {
    // Invalid JSON is judged by the check of that requirement. Elsewhere the body counts as absent.
    return undefined;
  }
}
