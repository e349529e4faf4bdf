import type { Call } from '../../service/call.ts';
import type { ResetResult } from '../../service/inputs.ts';
import { isParty } from '../access/visible-invoices.ts';

/**
 * "Clears sandbox API keys, sandbox logs, sandbox invoices and sandbox bookings" of the caller's organization.
 * Production is unchanged.
 */
export function reset({ store, organizationId }: Call): ResetResult {
  const sandbox = store.worlds.SANDBOX;
  const keys = [...store.keys.values()].filter(
    (key) => key.organizationId === organizationId && key.environment === 'SANDBOX' && key.state === 'active',
  );
  for (const key of keys) key.state = 'revoked';
  const logs = sandbox.logs.length;
  sandbox.logs = sandbox.logs.filter((entry) => entry.organizationId !== organizationId);
  // A stored response would restore a cleared invoice in a replay.
  removeWhere(sandbox.replays, (kept) => kept.organizationId === organizationId);
  return {
    apiKeys: keys.length,
    logs: logs - sandbox.logs.length,
    invoices: removeWhere(sandbox.invoices, (invoice) => isParty(invoice, organizationId)),
    bookings: removeWhere(sandbox.bookings, (booking) => booking.organizationIds.includes(organizationId)),
  };
}

function removeWhere<Value>(from: Map<string, Value>, doomed: (value: Value) => boolean): number {
  const before = from.size;
  for (const [key, value] of from) if (doomed(value)) from.delete(key);
  return before - from.size;
}
