import type { IncomingRequest, Service } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { ApiKey, Environment } from '../../service/store.ts';

/** "With an API key X-Environment is accepted only when it names that key's own environment. Without the header, the key decides." */
export function resolveEnvironment({ store }: Service, key: ApiKey, { headers }: IncomingRequest): Environment {
  const named = headers.get('X-Environment');
  if (named !== null && named !== 'PRODUCTION' && named !== 'SANDBOX') throw rejections.unknownEnvironment();
  if (named !== null && named !== key.environment) throw rejections.environmentMismatch();
  if (!store.deployed.has(key.environment)) throw rejections.environmentUnavailable();
  return key.environment;
}
