import { isDeepStrictEqual } from 'node:util';
import type { ActorName, OperationName } from '../../specs/target.ts';
import type { MaskedText } from './masked-text.ts';

/** What was asked for: an operation that the contract shows, one that the target file binds, or neither. */
export type Operation = OperationName | 'list' | 'create' | 'webhookCreate' | 'reset';

/** One request as a check words it. */
export interface ApiRequest {
  operation: Operation;
  method: string;
  /** Below the base URL, with its query. */
  path: string;
  /** Who asks, for the reader: an actor's name, or `seller with a wrong secret`. */
  actorLabel: string;
  /** The actor whose valid credentials these are; null when the credentials are not valid. */
  actor: ActorName | null;
  credentials: readonly (readonly [string, string])[];
  headers?: readonly (readonly [string, string])[];
  /** A string is sent as it is, anything else as JSON; absent means no body. */
  body?: unknown;
  /** Leaves out the Content-Type that a body has otherwise. */
  omitContentType?: true;
  /** Sent to a path or with bytes that no contract declares: how the answer to it looks is nobody's concern. */
  skipExchangeRules?: true;
  /** A 429 is an answer like any other: it is neither waited for nor repeated. */
  expects429?: true;
}

/** A received answer, with everything a judge may want to know. */
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
  /** The parsed body; undefined when it is empty or no JSON. */
  json: unknown;
  /** When its request left, as `performance.now()` tells it. */
  sentAt: number;
  /** True when an earlier attempt at this change may have been carried out, too: its answer never came or was transient. */
  mayHaveDuplicatedMutation: boolean;
  /** Replaces the secrets that the run knows, before a message shows a part of a text. */
  mask: (text: string) => MaskedText;
}

export function headerValue(response: Pick<ApiResponse, 'headers'>, name: string): string | undefined {
  return response.headers.find(([key]) => key === name)?.[1];
}

/** A member of the body when the body is an object. */
export function bodyMember(response: Pick<ApiResponse, 'json'>, name: string): unknown {
  const { json } = response;
  if (json === null || typeof json !== 'object' || !Object.hasOwn(json, name)) return undefined;
  return (json as Record<string, unknown>)[name];
}

/** "See Other": what was asked for is done, and what came of it is to be had elsewhere. */
const SEE_OTHER = 303;

/** Whether the server did what it was asked, by any status that says so. */
export function isSuccess({ status }: Pick<ApiResponse, 'status'>): boolean {
  return is2xx({ status }) || status === SEE_OTHER;
}

/** Whether an answer shows what was asked for. By which status it does so, the contract does not say of any operation. */
export function is2xx({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

const MAX_SHOWN_CHARACTERS = 400;

const MAX_CHARACTERS_BEFORE_PART = 60;

/** What came, in a few words for a message: `409 {"error":…}`, `307 to https://… with an empty body`. */
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

/** As `describe`, with the part of a long body that a message is about. */
export function describeResponsePart(response: ApiResponse, part: unknown): string {
  if (response.text.length <= MAX_SHOWN_CHARACTERS) return describeResponse(response);
  return `${describeResponse(response, MAX_CHARACTERS_BEFORE_PART)}, with ${shorten(response.mask(JSON.stringify(part) ?? 'nothing'), MAX_SHOWN_CHARACTERS)}`;
}

/** The beginning of a text. Only a masked one may be cut: a part of a secret is no longer recognized. */
export function shorten(text: MaskedText, length: number): string {
  return text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
}

/** Whether two bodies say the same; spacing and the order of members are the serializer's business. */
export function hasSameBody(
  one: Pick<ApiResponse, 'json' | 'text'>,
  other: Pick<ApiResponse, 'json' | 'text'>,
): boolean {
  if (one.json === undefined || other.json === undefined) return one.text === other.text;
  return isDeepStrictEqual(one.json, other.json);
}
