import type { Incoming, Service } from '../../service/call.ts';
import { refusals } from '../../service/refusal.ts';
import type { ApiKey, Environment } from '../../service/store.ts';

/** "With an API key X-Environment is accepted only when it names that key's own environment. Without the header, the key decides." */
export function resolveEnvironment({ store }: Service, key: ApiKey, { headers }: Incoming): Environment {
  const named = headers.get('X-Environment');
  if (named !== null && named !== 'PRODUCTION' && named !== 'SANDBOX') throw refusals.unknownEnvironment();
  if (named !== null && named !== key.environment) throw refusals.environmentMismatch();
  if (!store.deployed.has(key.environment)) throw refusals.environmentUnavailable();
  return key.environment;
}
