import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { buildRequest } from '../api/requests.ts';
import type { CheckContext } from '../context/check.ts';

export interface CustomRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL of the target, with the query, such as `/api/v1/portal/tax?year=2026`. */
  path: string;
  /** An actor of the target file, or other credentials; the seller by default. */
  as?: ActorName | Credentials;
  headers?: readonly (readonly [name: string, value: string])[];
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
}

/**
 * Sends any request, within the rate, the budget and the retries of the run, and records it as evidence of the check.
 * Throws Blocked if the target file does not have the actor.
 */
export async function sendRequest(ctx: CheckContext, request: CustomRequest): Promise<ApiResponse> {
  const { method, path, as = 'seller', headers, body } = request;
  const credentials = typeof as === 'string' ? ctx.credentials(as) : as;
  return await ctx.send(
    buildRequest(ctx, 'custom', method, path, { as: credentials, ...(headers && { headers }) }, body),
  );
}
