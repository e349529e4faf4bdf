import type { Target } from '../../specs/target-file/target.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import type { ActorFinding } from './preflight.ts';
import { UNAVAILABLE_STATUSES } from './unavailable-statuses.ts';

/** Throws a ConfigurationError if the list is unavailable to every actor. A run records that instead: it may be what the run is for. */
export function assertServiceAvailable({ baseUrl }: Target, actors: readonly Pick<ActorFinding, 'status'>[]): void {
  const statuses = new Set(actors.map(({ status }) => status));
  if (statuses.size === 0 || ![...statuses].every((status) => UNAVAILABLE_STATUSES.has(status))) return;
  const remedy = statuses.has(429)
    ? 'wait until its rate limit allows requests'
    : 'start the service behind the gateway';
  throw new ConfigurationError(`baseUrl: ${baseUrl} returns ${[...statuses].join(' or ')} to every request; ${remedy}`);
}
