import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { IncomingRequest, Service } from '../../service/call.ts';
import type { Rules } from '../../service/rules.ts';
import type { ApiKey } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

const CACHED_FOR_MS = 3000;

/** A gateway that caches whose request this is, by too few parts of the request. */
const cachedBy =
  (partsOf: (request: IncomingRequest, key: string | null, service: Service) => string) =>
  (base: Readonly<Rules>): Partial<Rules> => {
    const verdicts = new Map<string, { key: ApiKey; until: number }>();
    return {
      authenticate: (service, request) => {
        const parts = partsOf(request, request.headers.get('X-API-Key'), service);
        const known = verdicts.get(parts);
        if (known && known.until > Date.now()) return known.key;
        const key = base.authenticate(service, request);
        verdicts.set(parts, { key, until: Date.now() + CACHED_FOR_MS });
        return key;
      },
    };
  };

const organizationOf = (service: Service, key: string | null) =>
  service.store.keys.get(key ?? '')?.organizationId ?? String(key);

const fault = (
  id: string,
  defect: string,
  caughtBy: readonly CheckId[],
  change: (base: Readonly<Rules>) => Partial<Rules>,
): Fault => ({
  id,
  requirement: caughtBy[0]?.split('.')[0] ?? '',
  defect,
  caughtBy,
  rules: overrideRules(change),
});

export const authenticationCachedVerdictsFaults: readonly Fault[] = [
  fault(
    'auth-cached-by-key',
    'The gateway caches an accepted key for three seconds, without its secret.',
    ['AUTH-03.wrong'],
    cachedBy((_, key) => String(key)),
  ),
  fault(
    'auth-cached-by-key-and-path',
    'The gateway caches an accepted key for three seconds by key and path, without the secret.',
    ['AUTH-03.wrong'],
    cachedBy(({ path }, key) => `${key} ${path}`),
  ),
  fault(
    'auth-cached-by-key-and-request',
    'The gateway caches an accepted key for three seconds by key, method, path and query, without the secret.',
    ['AUTH-07.create'],
    cachedBy(({ method, path, query }, key) => `${key} ${method} ${path} ${query}`),
  ),
  fault(
    'auth-cached-by-secret',
    'The gateway caches an accepted secret for three seconds, without its key.',
    ['AUTH-02.truncated'],
    cachedBy(({ headers }) => String(headers.get('X-API-Secret'))),
  ),
  fault(
    'auth-cached-by-organization',
    'The gateway caches an accepted organization for three seconds: another key of it needs no check.',
    ['AUTH-04.revoked'],
    cachedBy((_, key, service) => organizationOf(service, key)),
  ),
  {
    ...fault(
      'auth-cached-get-by-url',
      'A cache in front returns a GET by its url for three seconds to anyone.',
      ['AUTH-01.both-missing'],
      cachedBy(({ method, path, query, headers, text }, key) =>
        method === 'GET' ? `${path}?${query}` : `${key} ${headers.get('X-API-Secret')} ${method} ${path} ${text}`,
      ),
    ),
    traffic: 'smoke',
  },
  fault(
    'perm-cached-by-organization',
    'A granted permission is cached for three seconds by organization and path, without the key.',
    ['PERM-01.create'],
    (base) => {
      const until = new Map<string, number>();
      return {
        authorize: (call) => {
          const cached = `${call.organizationId} ${call.request.method} ${call.request.path}`;
          if ((until.get(cached) ?? 0) > Date.now()) return;
          base.authorize(call);
          until.set(cached, Date.now() + CACHED_FOR_MS);
        },
      };
    },
  ),
];
