import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiRequest, ApiResponse, Operation } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import { blockUnlessNeedsMet } from '../../engine/target/capabilities.ts';
import type { OperationName, OperationTemplate } from '../../specs/target.ts';
import type { CheckContext } from '../context/check-context.ts';
import { fillTemplate, nonexistentPath } from './request-template.ts';

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
