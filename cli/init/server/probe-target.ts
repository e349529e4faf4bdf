import type { EnvironmentVariables } from '../../../engine/target/environment-variables.ts';
import { resolveProxy } from '../../../engine/target/network/proxy-settings.ts';
import { ACTOR_NAMES, createTarget, type Target, targetFile } from '../../../specs/target-file/target.ts';
import { type GivenActors, hasCredentials } from '../given-values.ts';

/** The target for the requests of init: an address, an authority to trust, and the actors whose key and secret are known. */
export function probeTarget(
  { baseUrl, ca, given }: { baseUrl: string; ca: string | undefined; given: GivenActors },
  environment: EnvironmentVariables,
): Target {
  const actors: Target['actors'] = {};
  for (const name of ACTOR_NAMES) {
    const actor = given[name];
    if (hasCredentials(actor)) actors[name] = { key: actor.key.value, secret: actor.secret.value };
  }
  const { limits, allow } = targetFile.shape;
  const target = createTarget({
    baseUrl,
    actors,
    ...(ca !== undefined && { tls: { ca } }),
    proxy: 'environment',
    headers: {},
    counterparties: {},
    operations: {},
    limits: limits.parse(undefined),
    allow: allow.parse(undefined),
  });
  return resolveProxy(target, environment);
}
