import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiRequest, ApiResponse, Operation } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import { blockUnlessNeedsMet } from '../../engine/target/capabilities.ts';
import type { OperationName, OperationTemplate } from '../../specs/target-file/target.ts';
import type { CheckContext } from '../context/check.ts';

type Headers = readonly (readonly [string, string])[];

export interface RequestOptions {
  /** The seller by default. */
  as?: Credentials;
  headers?: Headers;
  /** Omits the Content-Type that a body has by default. */
  omitContentType?: true;
  /** A closed connection is an answer: the kit does not send the request again. */
  mayEndWithoutResponse?: true;
}

export interface ActionOptions extends RequestOptions {
  requestId?: string;
  /** Members that the body has in addition to those of the target file. */
  extraMembers?: JsonObject;
  /** Sent unchanged instead of a body. */
  rawBody?: string;
  /** For a withdrawal: its amount is above any treasury balance, so the server must reject it. */
  exceedsFunds?: true;
}

/**
 * The template of an operation in the target file. Throws Blocked when it is not bound, NotApplicable when it is
 * `not-offered`.
 */
export function requireBinding(ctx: CheckContext, name: OperationName): OperationTemplate {
  const template = ctx.target.operations[name];
  if (template) return template;
  blockUnlessNeedsMet([name], ctx.run);
  throw new Error(`operations.${name} is neither bound nor missing`);
}

export async function sendBoundRequest(
  ctx: CheckContext,
  name: OperationName,
  extra: ActionOptions & { as: Credentials },
  values: { id?: string; amount?: string },
): Promise<ApiResponse> {
  return await ctx.send(buildBoundRequest(ctx, name, extra, values));
}

/** Sends the request of an operation to a path that no service has. Null if the path has no word to replace. */
export async function sendToNonexistentPath(
  ctx: CheckContext,
  name: OperationName,
  as: Credentials,
  values: { id?: string; amount?: string },
): Promise<ApiResponse | null> {
  const template = requireBinding(ctx, name);
  const path = nonexistentPath(template.path);
  if (path === null) return null;
  return await ctx.send({
    ...buildBoundRequest(ctx, name, { as }, values, { ...template, path }),
    skipExchangeRules: true,
  });
}

export function buildBoundRequest(
  ctx: CheckContext,
  name: OperationName,
  extra: ActionOptions & { as: Credentials },
  values: { id?: string; amount?: string },
  template: OperationTemplate = requireBinding(ctx, name),
): ApiRequest {
  const text = `${name}, conformance run ${ctx.run.plan.runId.slice(0, 8)}`;
  const filled = fillTemplate(template, {
    amount: DEFAULT_ACTION_AMOUNT,
    ...values,
    text,
    ...(extra.requestId !== undefined && { requestId: extra.requestId }),
  });
  const body = extra.extraMembers ? { ...(filled.body as JsonObject | undefined), ...extra.extraMembers } : filled.body;
  return buildRequest(ctx, name, template.method, filled.path, extra, extra.rawBody ?? body);
}

export function buildRequest(
  ctx: CheckContext,
  operation: Operation,
  method: string,
  path: string,
  extra: RequestOptions,
  body?: unknown,
): ApiRequest {
  const { actorLabel, actor, headers } = extra.as ?? ctx.credentials('seller');
  return {
    operation,
    method,
    path,
    actorLabel,
    actor,
    credentials: headers,
    ...(extra.headers && { headers: extra.headers }),
    ...(extra.omitContentType && { omitContentType: extra.omitContentType }),
    ...(extra.mayEndWithoutResponse && { mayEndWithoutResponse: extra.mayEndWithoutResponse }),
    ...(body !== undefined && { body }),
  };
}

const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** Whether the method of the template defines a body. Intermediaries may drop the body of other methods. */
export function canHaveBody({ method }: OperationTemplate): boolean {
  return METHODS_WITH_BODY.includes(method);
}

/**
 * Whether the operation is bound and its request can carry a requestId. A GET can only if its path has a
 * placeholder for it.
 */
export function canHaveRequestId(ctx: CheckContext, operation: OperationName): boolean {
  const bound = ctx.target.operations[operation];
  return bound !== undefined && (bound.method !== 'GET' || bound.path.includes('{requestId}'));
}

/**
 * The amount of an adjustment or a fee if the template of an action has one. A payment uses the amount of the
 * invoice.
 */
const DEFAULT_ACTION_AMOUNT = '1.00';

export interface TemplateValues {
  id?: string;
  text?: string;
  amount?: string;
  requestId?: string;
}

const OMITTED = Symbol('left out');

/**
 * Path and body of a bound operation. A body member whose template is exactly `{requestId}` is omitted when there is
 * no requestId; if no template mentions it, a given requestId becomes a top-level member, as the contract says.
 */
export function fillTemplate(template: OperationTemplate, values: TemplateValues): { path: string; body: unknown } {
  const path = dropUnusedParameters(template.path, values).replaceAll(
    /\{(id|text|amount|requestId)\}/g,
    (_, name: keyof TemplateValues) => encodeURIComponent(toWellFormed(values[name] ?? '')),
  );
  const body = fillValue(template.body, values);
  const mentioned = JSON.stringify(template).includes('{requestId}');
  if (values.requestId === undefined || mentioned) return { path, body };
  return { path, body: { ...(body as object | undefined), requestId: values.requestId } };
}

/** Replaces characters that UTF-8 cannot encode, because a server may return any string as an id. */
function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Omits a query parameter whose template is exactly `{requestId}` when there is no requestId. */
function dropUnusedParameters(path: string, { requestId }: TemplateValues): string {
  if (requestId !== undefined) return path;
  const [before = '', query] = path.split('?');
  const kept = query?.split('&').filter((parameter) => !parameter.endsWith('={requestId}')) ?? [];
  return kept.length > 0 ? `${before}?${kept.join('&')}` : before;
}

function fillValue(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') {
    if (template === '{requestId}' && values.requestId === undefined) return OMITTED;
    return template.replaceAll(
      /\{(id|text|amount|requestId)\}/g,
      (_, name: keyof TemplateValues) => values[name] ?? '',
    );
  }
  if (Array.isArray(template)) {
    return template.map((item) => fillValue(item, values)).filter((item) => item !== OMITTED);
  }
  if (template === null || typeof template !== 'object') return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, item]) => [name, fillValue(item, values)] as const)
      .filter(([, item]) => item !== OMITTED),
  );
}

/** Appended to a word of a path to make a path that no service has. */
export const NONEXISTENT_SUFFIX = '-does-not-exist';

/**
 * A path that no service has: the suffix is added to the last word that is not a placeholder. Null if the path has
 * no such word.
 */
export function nonexistentPath(path: string): string | null {
  const [before = ''] = path.split('?');
  const last = [...before.matchAll(/\{[^}]*\}|[A-Za-z][\w-]*/g)].findLast(([word]) => !word.startsWith('{'));
  if (!last) return null;
  const end = last.index + last[0].length;
  return `${before.slice(0, end)}${NONEXISTENT_SUFFIX}${before.slice(end)}`;
}
