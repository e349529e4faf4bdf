import { parseDocument } from 'yaml';
import { isObject, type JsonObject } from '../../../engine/records/invoice-records.ts';

/** Longer documents are not read. The transport reads no longer body, either. */
export const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/** An OpenAPI document whose parts may still have any type. */
export interface OpenApiDocument {
  root: JsonObject;
  paths: JsonObject;
}

/** The document in a text, or why there is none, worded to follow its name. */
export function parseOpenApi(text: string): OpenApiDocument | { problem: string } {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) {
    return {
      problem: `is longer than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB; name a document with the invoice operations only`,
    };
  }
  const root = parseJsonOrYaml(text);
  if (root === undefined) return { problem: 'is neither valid JSON nor valid YAML; name an OpenAPI document' };
  if (!isObject(root)) return { problem: 'is not a mapping; name an OpenAPI document' };
  if (!Object.hasOwn(root, 'openapi') && !Object.hasOwn(root, 'swagger')) {
    return { problem: 'has no field openapi or swagger; name an OpenAPI document' };
  }
  const { paths } = root;
  if (!isObject(paths) || Object.keys(paths).length === 0) {
    return { problem: 'has no paths; name a document that describes the operations in paths' };
  }
  return { root, paths };
}

/** No document is nested more deeply. A parser takes very long for millions of open brackets. */
const MAX_BRACKET_DEPTH = 1000;

/** Undefined for an invalid text. A parser may also fail because of the depth of a text or the number of its aliases. */
function parseJsonOrYaml(text: string): unknown {
  try {
    if (/^\s*[{[]/.test(text)) return JSON.parse(text);
    if (bracketDepth(text) > MAX_BRACKET_DEPTH) return undefined;
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
    return document.errors.length > 0 ? undefined : document.toJS();
  } catch {
    return undefined;
  }
}

function bracketDepth(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
