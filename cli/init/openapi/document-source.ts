import { isRedirect, isWebPage } from '../../../engine/diagnosis/operation-binding.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { headerValue, is2xx, shorten } from '../../../engine/model/messages.ts';
import { readTextFile } from '../../../engine/target/text-file.ts';
import type { ActorName } from '../../../specs/target-file/target.ts';
import { isUnanswered, type ReadRequests, type ReadResponse } from '../server/read-requests.ts';
import { MAX_DOCUMENT_BYTES, type OpenApiDocument, parseOpenApi } from './parse-document.ts';

export interface NamedDocument {
  /** Its file or address, for messages. */
  name: string;
  document: OpenApiDocument;
}

/** Where services usually serve their document, below the base URL or below the origin. */
const USUAL_PLACES = [
  '/openapi.json',
  '/openapi.yaml',
  '/v3/api-docs',
  '/swagger.json',
  '/api/openapi.json',
  '/docs/openapi.json',
  '/api-docs',
  '/swagger/v1/swagger.json',
  '/api/v1/openapi.json',
];
const WANTED = 'an OpenAPI document (YAML or JSON)';
const TOO_LONG = `is longer than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB; name a document with the invoice operations only`;
const MAX_SHOWN_CHARACTERS = 200;

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** The document in a file. Throws a ConfigurationError. */
export function readDocumentFile(file: string): NamedDocument {
  return parsed(file, readTextFile(file, '--openapi', WANTED));
}

/** The document at an address, requested without credentials. Throws a ConfigurationError. */
export async function requestDocument(requests: ReadRequests, url: string): Promise<NamedDocument> {
  const { origin, pathname } = new URL(url);
  // A query may contain a token.
  const name = `${origin}${pathname}`;
  const response = await requests.get(url, null);
  if (isUnanswered(response))
    throw wrongDocument(name, `no response: ${response.message}; download it and name the file`);
  if (isRedirect(response.status)) {
    const place = shorten(response.mask(headerValue(response, 'location') ?? 'nowhere'), MAX_SHOWN_CHARACTERS);
    throw wrongDocument(name, `redirects to ${place}; name that address`);
  }
  if (!is2xx(response))
    throw wrongDocument(name, `returns ${response.status}; correct the address, or download it and name the file`);
  if (isWebPage(response)) throw wrongDocument(name, 'is a web page; name the address of the document itself');
  if (response.isTruncated) throw wrongDocument(name, TOO_LONG);
  return parsed(name, response.text);
}

/** The document that the server serves at a usual place; a line if it cannot be used, null if there is none. */
export async function findServedDocument(
  requests: ReadRequests,
  baseUrl: string,
  actor: ActorName | null,
): Promise<NamedDocument | { line: string } | null> {
  for (const start of new Set([baseUrl, new URL(baseUrl).origin])) {
    for (const place of USUAL_PLACES) {
      const name = `${start}${place}`;
      const response = await getDocument(requests, name, actor);
      if (response === null) return null;
      if (!is2xx(response) || isWebPage(response) || !/\b(openapi|swagger)["']?\s*:/.test(response.text)) continue;
      const document = response.isTruncated ? { problem: TOO_LONG } : parseOpenApi(response.text);
      return 'problem' in document ? { line: `--openapi: ${name} ${document.problem}` } : { name, document };
    }
  }
  return null;
}

/** Null without a response. Documents that are not public need the credentials of the target. */
async function getDocument(requests: ReadRequests, url: string, actor: ActorName | null): Promise<ReadResponse | null> {
  const open = await requests.get(url, null);
  if (isUnanswered(open)) return null;
  if (actor === null || (open.status !== 401 && open.status !== 403)) return open;
  const response = await requests.get(url, actor);
  return isUnanswered(response) ? null : response;
}

function parsed(name: string, text: string): NamedDocument {
  const document = parseOpenApi(text);
  if ('problem' in document) throw wrongDocument(name, document.problem);
  return { name, document };
}

function wrongDocument(name: string, problem: string): ConfigurationError {
  return new ConfigurationError(`--openapi: ${name} ${problem}`);
}
