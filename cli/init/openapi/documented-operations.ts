import { isObject, type JsonObject } from '../../../engine/records/invoice-records.ts';
import type { OperationTemplate } from '../../../specs/target-file/target.ts';
import type { LocalReferences } from './local-references.ts';
import type { OpenApiDocument } from './parse-document.ts';
import { contractPath } from './path-prefix.ts';

/** An operation of an OpenAPI document, below the base URL of the target. */
export interface DocumentedOperation {
  method: OperationTemplate['method'];
  /** With {id} in place of the only parameter. */
  path: string;
  parameterCount: number;
  operationId: string;
  isDeprecated: boolean;
  /** Why a request with path and body alone would be rejected; null if it would not. */
  obstacle: string | null;
  /** The schema of the JSON body, not resolved; undefined without a body. */
  bodySchema: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PARAMETER = /\{[^{}/]*\}/g;
/** What a path may contain besides its parameter: no reference to a variable, and nothing with a meaning in YAML. */
const PLAIN_PATH = /^\/(?:[A-Za-z0-9._~!'()*+,;=:@/-]|%[0-9A-Fa-f]{2}|\{id\})*$/;
/** Headers that the kit or the contract sets. */
const KNOWN_HEADERS = /^(x-api-key|x-api-secret|x-environment|authorization|accept|content-type)$/i;

/** The operations of a document whose path the target file can hold. */
export function documentedOperations(
  { root, paths }: OpenApiDocument,
  references: LocalReferences,
  baseUrl: string,
): DocumentedOperation[] {
  const pathOf = contractPath({ root, paths }, baseUrl);
  return Object.entries(paths).flatMap(([template, node]) => {
    const item = references.resolve(node);
    const path = pathOf(template);
    if (item === undefined || path === null) return [];
    const parameterCount = path.match(PARAMETER)?.length ?? 0;
    const rewritten = path.replaceAll(PARAMETER, '{id}');
    if (parameterCount > 1 || !PLAIN_PATH.test(rewritten)) return [];
    return METHODS.flatMap((method) => {
      const operation = Object.hasOwn(item, method) ? references.resolve(item[method]) : undefined;
      if (operation === undefined) return [];
      const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)]
        .map((each) => references.resolve(each))
        .filter((each) => each !== undefined);
      return [
        {
          method: method.toUpperCase() as DocumentedOperation['method'],
          path: rewritten,
          parameterCount,
          operationId: typeof operation.operationId === 'string' ? operation.operationId.slice(0, 200) : '',
          isDeprecated: operation.deprecated === true,
          obstacle: parameterObstacle(parameters) ?? bodyObstacle(operation, references),
          bodySchema: bodySchema(operation, parameters, references),
        },
      ];
    });
  });
}

const UNKNOWN_BODY = 'has a body with a reference that init does not follow';

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function parameterObstacle(parameters: readonly JsonObject[]): string | null {
  for (const { name, in: place, required } of parameters) {
    if (required !== true || typeof name !== 'string') continue;
    const isUnknown = place === 'query' || place === 'cookie' || place === 'formData';
    if (isUnknown || (place === 'header' && !KNOWN_HEADERS.test(name)))
      return `requires the ${place} parameter ${name}`;
  }
  return null;
}

function bodyObstacle(operation: JsonObject, references: LocalReferences): string | null {
  if (!Object.hasOwn(operation, 'requestBody')) return null;
  const body = references.resolve(operation.requestBody);
  if (body === undefined) return UNKNOWN_BODY;
  if (!isObject(body.content)) return null;
  const json = references.resolve(jsonContent(body.content));
  if (json === undefined) return body.required === true ? 'requires a body that is not JSON' : null;
  return isObject(json.schema) && references.resolve(json.schema) === undefined ? UNKNOWN_BODY : null;
}

function bodySchema(operation: JsonObject, parameters: readonly JsonObject[], references: LocalReferences): unknown {
  const body = references.resolve(operation.requestBody);
  if (isObject(body?.content)) return references.resolve(jsonContent(body.content))?.schema;
  // Swagger 2 has the body among the parameters.
  return parameters.find((each) => each.in === 'body')?.schema;
}

function jsonContent(content: JsonObject): unknown {
  const type = Object.keys(content).find((name) => /^(application\/([\w.+-]+\+)?json|\*\/\*)\b/i.test(name));
  return type === undefined ? undefined : content[type];
}
