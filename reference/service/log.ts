import type { Call } from './call.ts';

const KEPT_LOG_ENTRIES = 1_000;

/** Keeps the latest requests of an environment: the "sandbox logs" that a reset clears. */
export function logRequest(
  { world: environment, rules, organizationId, request: { method, path } }: Call,
  status: number,
): void {
  if (environment.logs.length >= 2 * KEPT_LOG_ENTRIES) environment.logs.splice(0, KEPT_LOG_ENTRIES);
  environment.logs.push({ organizationId, at: rules.now().toISOString(), method, path, status });
}
