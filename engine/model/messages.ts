import { isDeepStrictEqual } from 'node:util';
import type { ActorName, OperationName } from '../../specs/target-file/target.ts';
import type { MaskedText } from './masked-text.ts';

/** The operation of a request: shown by the contract, bound by the target file, or neither. `custom`: a custom check names the path. */
export type Operation = OperationName | 'list' | 'create' | 'webhookCreate' | 'reset' | 'custom';

/** One request of a check. */
export interface ApiRequest {
  operation: Operation;
  method: string;
  /** Relative to the base URL, with the query. */
  path: string;
  /** The actor's label for reports: its name, or `seller with a wrong secret`. */
  actorLabel: string;
  /** The actor whose valid credentials these are; null if the credentials are not valid. */
  actor: ActorName | null;
  credentials: readonly (readonly [string, string])[];
  headers?: readonly (readonly [string, string])[];
  /** A string is sent as it is, anything else as JSON; absent means no body. */
  body?: unknown;
  /** Omits the Content-Type of the body. */
  omitContentType?: true;
  /** The path or body is outside the contract, so exchange rules do not apply to the response. */
  skipExchangeRules?: true;
  /** The kit has no other creation in flight. */
  isOnlyCreation?: true;
  /** A 429 is a final response: the kit neither waits nor retries. */
  expects429?: true;
  /** Other checks wait for the sender, so the request goes before others. */
  isUrgent?: true;
  /** The server may close the connection instead of responding, for example because of the size: the kit does not retry then. */
  mayEndWithoutResponse?: true;
}

/** A received response. */
export interface ApiResponse {
  /** Id of the exchange in the journal. */
  exchange: string;
  request: ApiRequest;
  /** `POST /api/v1/invoices` with the base URL's prefix left out. */
  requestLine: string;
  /** The body as sent, for messages. */
  sentBody: string | null;
  status: number;
  headers: readonly (readonly [string, string])[];
  text: string;
  /** The parsed body; undefined if it is empty or not JSON. */
  json: unknown;
  /** When the request was sent, by `performance.now()`. */
  sentAt: number;
  /** True if the server may also have carried out an earlier attempt, whose response was lost or transient. */
  mayHaveDuplicatedMutation: boolean;
  /** Masks the secrets of the run. Apply it before a message shows a part of a text. */
  mask: (text: string) => MaskedText;
}

export function headerValue(response: Pick<ApiResponse, 'headers'>, name: string): string | undefined {
  return response.headers.find(([key]) => key === name)?.[1];
}

/** A member of the body if the body is an object. */
export function bodyMember(response: Pick<ApiResponse, 'json'>, name: string): unknown {
  const { json } = response;
  if (json === null || typeof json !== 'object' || !Object.hasOwn(json, name)) return undefined;
  return (json as Record<string, unknown>)[name];
}

/** "See Other": the operation succeeded, and its result has another URL. */
const SEE_OTHER = 303;

/** Whether the server carried out the request, by any success status. */
export function isSuccess({ status }: Pick<ApiResponse, 'status'>): boolean {
  return is2xx({ status }) || status === SEE_OTHER;
}

/** Whether a response shows the requested resource. The contract defines no exact success status. */
export function is2xx({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

const MAX_SHOWN_CHARACTERS = 400;

const MAX_CHARACTERS_BEFORE_PART = 60;

/** Describes a response in a few words for a message: `409 {"error":…}`, `307 to https://… with an empty body`. */
export function describeResponse(
  response: Pick<ApiResponse, 'status' | 'text' | 'headers' | 'mask'>,
  length = MAX_SHOWN_CHARACTERS,
): MaskedText {
  const { status, text, mask: masked } = response;
  const location = status >= 300 && status < 400 ? headerValue(response, 'location') : undefined;
  const came =
    location === undefined ? String(status) : `${status} to ${shorten(masked(location), MAX_SHOWN_CHARACTERS)}`;
  return (text === '' ? `${came} with an empty body` : `${came} ${shorten(masked(text), length)}`) as MaskedText;
}

/** As `describeResponse`, after the Content-Type: `text/html: 503 <html>…`. */
export function describeTypedResponse(response: ApiResponse, length: number): string {
  const type = headerValue(response, 'content-type') ?? 'without Content-Type';
  return `${type}: ${shorten(describeResponse(response), length)}`;
}

/** As `describeResponse`, with the relevant part of a long body. */
export function describeResponsePart(response: ApiResponse, part: unknown): string {
  if (response.text.length <= MAX_SHOWN_CHARACTERS) return describeResponse(response);
  return `${describeResponse(response, MAX_CHARACTERS_BEFORE_PART)}, with ${shorten(response.mask(JSON.stringify(part) ?? 'nothing'), MAX_SHOWN_CHARACTERS)}`;
}

/** The beginning of a text. Only a masked text may be cut, because a part of a secret is not recognized. */
export function shorten(text: MaskedText, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
}

/** Whether two bodies are equal, ignoring white space and the order of members. */
export function hasSameBody(
  one: Pick<ApiResponse, 'json' | 'text'>,
  other: Pick<ApiResponse, 'json' | 'text'>,
): boolean {
  if (one.json === undefined || other.json === undefined) return one.text === other.text;
  return isDeepStrictEqual(one.json, other.json);
}
