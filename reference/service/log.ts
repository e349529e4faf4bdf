import type { Call } from './call.ts';

const KEPT = 1_000;

/** Keeps the latest requests of an environment: the "sandbox logs" that a reset clears. */
export function record({ world, rules, organizationId, request: { method, path } }: Call, status: number): void {
  if (world.logs.length >= 2 * KEPT) world.logs.splice(0, KEPT);
  world.logs.push({ organizationId, at: rules.now().toISOString(), method, path, status });
}
