import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { IncomingRequest, Route, Service } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { ApiKey } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

/** The router serves a route under another spelling, too. */
export const addSpelledRoute = (name: string, spelling: (path: string) => string) => (base: readonly Route[]) => [
  ...base.filter((route) => route.name === name).map((route) => ({ ...route, path: spelling(route.path) })),
  ...base,
];

/** The router ignores a slash at the end of a path, and the guards compare the exact text. */
export const addTrailingSlashRoute = (name: string) => addSpelledRoute(name, (path) => `${path}/`);

export const hasTrailingSlash = ({ path }: IncomingRequest) => path.endsWith('/');

/** Accepts credentials that the original rule rejects; `undefined` leaves the decision to that rule. */
export function acceptCredentials(find: (given: PresentedCredentials) => ApiKey | undefined): RuleChange {
  return overrideRules((base) => ({
    authenticate: (service: Service, request: IncomingRequest) => {
      const [key, secret] = [request.headers.get('X-API-Key'), request.headers.get('X-API-Secret')];
      const keys = [...service.store.keys.values()];
      return find({ key, secret, request, keys }) ?? base.authenticate(service, request);
    },
  }));
}

interface PresentedCredentials {
  key: string | null;
  secret: string | null;
  request: IncomingRequest;
  keys: ApiKey[];
}

export const findActiveKey = ({ keys }: PresentedCredentials) => keys.find(({ state }) => state === 'active');

export const longHeaderFault = (id: string, header: string, check: CheckId): Fault =>
  crashingHeaderFault(
    id,
    check,
    `A long ${header} breaks the query that looks it up: 500 instead of 401.`,
    header,
    /^.{256}/,
  );

/** Credentials of some form break the lookup query, and the error is not caught. */
export const crashingHeaderFault = (
  id: string,
  check: CheckId,
  sentence: string,
  header: string,
  form: RegExp,
): Fault => ({
  id,
  requirement: check.split('.')[0] ?? '',
  defect: sentence,
  caughtBy: [check],
  rules: overrideRules((base) => ({
    authenticate: (service, request) => {
      if (form.test(request.headers.get(header) ?? '')) throw rejections.internal();
      return base.authenticate(service, request);
    },
  })),
});

/** Accepts an active key without comparing the secret, for matching requests. */
export const skipSecretComparison = (lax: (key: ApiKey, request: IncomingRequest) => boolean): RuleChange =>
  overrideRules((base) => ({
    authenticate: (service, request) => {
      const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
      return found?.state === 'active' && lax(found, request) ? found : base.authenticate(service, request);
    },
  }));
