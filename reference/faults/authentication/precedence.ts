import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { IncomingRequest } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';

function existenceFirst(asked: (request: IncomingRequest) => boolean): RuleChange {
  return overrideRules((base) => ({
    authenticate: (service, request) => {
      const { id } = request.params;
      const { SANDBOX, PRODUCTION } = service.store.worlds;
      const unknown = id && !SANDBOX.invoices.has(id) && !PRODUCTION.invoices.has(id);
      if (unknown && asked(request)) throw rejections.invoiceNotFound();
      return base.authenticate(service, request);
    },
  }));
}

export const authenticationPrecedenceFaults: readonly Fault[] = [
  {
    id: 'auth-body-parsed-first',
    requirement: 'AUTH-08',
    defect: 'The body is parsed before the authentication, so a malformed body hides invalid credentials.',
    caughtBy: ['AUTH-08.before-body'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        base.parseBody(service, request);
        return base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-environment-first',
    requirement: 'AUTH-08',
    defect: 'The gateway checks X-Environment before the credentials.',
    caughtBy: ['AUTH-08.before-environment'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const named = request.headers.get('X-Environment');
        if (named && named !== 'SANDBOX' && named !== 'PRODUCTION') throw rejections.unknownEnvironment();
        return base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-mismatch-first',
    requirement: 'AUTH-08',
    defect: 'The gateway reads the environment from the prefix of a key before its secret is compared.',
    caughtBy: ['AUTH-08.before-mismatch'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const sandbox = request.headers.get('X-API-Key')?.startsWith('svc_sand_');
        if (sandbox && request.headers.get('X-Environment') === 'PRODUCTION') throw rejections.environmentMismatch();
        return base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-revocation-last',
    requirement: 'AUTH-08',
    defect: 'A revocation is checked after the environments are compared.',
    caughtBy: ['AUTH-08.before-mismatch'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        const named = request.headers.get('X-Environment');
        const matches = found?.secret === request.headers.get('X-API-Secret');
        if (found && matches && named !== null && named !== found.environment) throw rejections.environmentMismatch();
        return base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-existence-first',
    requirement: 'AUTH-10',
    defect: 'Reading loads the invoice before the credentials are checked: any caller can find out which ids exist.',
    caughtBy: ['AUTH-10.read', 'AUTH-10.submit'],
    rules: existenceFirst(() => true),
  },
  {
    id: 'auth-existence-first-on-actions',
    requirement: 'AUTH-10',
    defect: 'Actions load the invoice before the credentials are checked: any caller can find out which ids exist.',
    caughtBy: ['AUTH-10.submit'],
    rules: existenceFirst(({ method }) => method === 'POST'),
  },
  {
    id: 'auth-revoked-gets-404',
    requirement: 'AUTH-10',
    defect: 'A revocation is checked last: a revoked key gets 404 for ids that do not exist.',
    caughtBy: ['AUTH-10.submit'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const key = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        const id = /invoices\/([^/]+)\/submit$/.exec(request.path)?.[1];
        const known = id !== undefined && service.store.worlds.SANDBOX.invoices.has(decodeURIComponent(id));
        if (key?.state === 'revoked' && key.secret === request.headers.get('X-API-Secret') && id && !known)
          throw rejections.invoiceNotFound();
        return base.authenticate(service, request);
      },
    })),
  },
];
