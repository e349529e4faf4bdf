import type { JsonObject } from '../../../engine/records/invoice-records.ts';
import type { OperationName, OperationTemplate } from '../../../specs/target-file/target.ts';
import { allowedTexts, type BodyForm, isPlainName, isPlainText } from './body-schema.ts';

type Body = NonNullable<OperationTemplate['body']>;

/** A body for an operation, and the required members for which init knows no value. */
export interface FilledBody {
  body: Body | undefined;
  unknown: string[];
}

export interface BodyOptions {
  operation: OperationName;
  /** Whether the path contains the id already. */
  hasIdInPath: boolean;
  /** Members whose value is decided: the status in a PATCH that several actions share. */
  fixed?: Readonly<Record<string, string>>;
}

const REQUEST_ID_NAME = /^request[_-]?id$/i;
const ID_NAME = /^(invoice[_-]?)?id$/i;
const INVOICE_ID_NAME = /^invoice[_-]?id$/i;
const AMOUNT_NAME = /amount$/i;
/** Free text that the contract names for these two operations. */
const TEXT_NAME = /^(reason|notes?|comments?|message|text|resolution|adjustment|description)$/i;
const TEXT_OPERATIONS: ReadonlySet<OperationName> = new Set(['dispute', 'resolve']);

/** Fills a form of a body: its required members, and those that the kit needs to vary the request. */
export function fillBody({ properties, required }: BodyForm, options: BodyOptions): FilledBody {
  const body: Body = {};
  const unknown: string[] = [];
  for (const name of new Set([...properties.keys(), ...required])) {
    const schema = properties.get(name) ?? {};
    const fixed = options.fixed?.[name];
    const isWanted = required.has(name) || isUseful(name, schema, options);
    if (fixed === undefined && !isWanted) continue;
    const value = fixed ?? valueFor(name, schema, options);
    if (value !== undefined && isPlainName(name)) body[name] = value;
    else if (required.has(name)) unknown.push(name);
  }
  return { body: Object.keys(body).length === 0 ? undefined : body, unknown };
}

/** Whether an optional member belongs into the request. */
function isUseful(name: string, schema: JsonObject, { operation, hasIdInPath }: BodyOptions): boolean {
  if (REQUEST_ID_NAME.test(name)) return true;
  if (operation === 'treasuryWithdraw') return AMOUNT_NAME.test(name);
  if (!hasIdInPath && INVOICE_ID_NAME.test(name)) return true;
  return TEXT_OPERATIONS.has(operation) && TEXT_NAME.test(name) && mayBeText(schema);
}

function valueFor(name: string, schema: JsonObject, { operation }: BodyOptions): Body[string] | undefined {
  const [allowed] = allowedTexts(schema);
  if (allowed !== undefined) return allowed;
  if (mayBeText(schema)) {
    if (REQUEST_ID_NAME.test(name)) return '{requestId}';
    if (ID_NAME.test(name) && !operation.startsWith('treasury')) return '{id}';
    if (AMOUNT_NAME.test(name)) return '{amount}';
  }
  const given = [schema.default, schema.example].find(isWritable);
  if (given !== undefined) return given;
  const isFreeText = mayBeText(schema) && schema.format === undefined && schema.pattern === undefined;
  return isFreeText && !/id$/i.test(name) && hasRoom(schema) ? '{text}' : undefined;
}

function mayBeText({ type }: JsonObject): boolean {
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

/** Whether the property takes a short text of the kit. */
function hasRoom({ maxLength, minLength }: JsonObject): boolean {
  return !(typeof maxLength === 'number' && maxLength < 40) && !(typeof minLength === 'number' && minLength > 10);
}

function isWritable(value: unknown): value is string | number | boolean {
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) || isPlainText(value);
}
