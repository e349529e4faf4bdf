import type { Call } from '../../service/call.ts';

/** The caller's own, per operation and invoice, the text as it is: JSON keeps the parts apart whatever they hold. */
export function replayKey(call: Call, requestId: string | undefined, subject?: string): string | undefined {
  if (requestId === undefined) return undefined;
  return JSON.stringify([call.environment, call.organizationId, call.route.name, subject ?? null, requestId]);
}
