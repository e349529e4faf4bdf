import type { Call } from '../../service/call.ts';

/**
 * Includes the caller, the operation, the invoice and the exact text. JSON separates the parts, whatever they contain.
 */
export function replayKey(call: Call, requestId: string | undefined, subject?: string): string | undefined {
  if (requestId === undefined) return undefined;
  return JSON.stringify([call.environment, call.organizationId, call.route.name, subject ?? null, requestId]);
}
