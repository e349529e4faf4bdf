import { disguisedKeys, disguisedSecrets } from '../../helpers/api/disguised-credentials.ts';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import {
  type Credentials,
  type CredentialVariant,
  type InvalidCredentialsName,
  ifSupported,
  invalidCredentials,
  listWithInvalidCredentials,
  nonSellerActors,
  otherKeysWithSellerSecret,
  otherKeysWithWrongSecret,
  sellerKeyWithOtherSecrets,
  unissuedProductionKeys,
} from '../../helpers/api/invalid-credentials.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import { isSuccess, responsesOf } from '../../helpers/api/responses.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { expectNoListByOtherPaths } from '../../helpers/authentication/other-paths.ts';
import { expectRejectedByAnyLayer, expectUnauthorized } from '../../helpers/authentication/unauthorized.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** Lists with credentials that have one defect. The preflight has shown that the valid credentials are accepted. */
function rejectedCredentialsCheck(id: CheckId, credentials: (ctx: CheckContext) => Credentials): Check {
  return check(id, ['seller'], async (ctx) =>
    expectRejected(ctx, await listWithInvalidCredentials(ctx, credentials(ctx)), [401]),
  );
}

/** Only the exact value is valid. A layer that turns the sent value back into it accepts a credential that was never issued. */
function disguisedCheck(id: CheckId, variants: readonly CredentialVariant[]): Check {
  return check(id, ['seller'], async (ctx) => {
    const failures = variants.flatMap((variant) => ifSupported(() => variant(ctx)));
    const responses = await responsesOf(failures.map((as) => () => listWithInvalidCredentials(ctx, as)));
    for (const response of responses) expectRejectedByAnyLayer(ctx, response);
  });
}

function invalidCredentialCheck(id: CheckId, variant: InvalidCredentialsName): Check {
  return rejectedCredentialsCheck(id, invalidCredentials[variant]);
}

/** X-Environment does not replace credentials: the list is rejected with and without it. */
function missingCredentialsCheck(id: CheckId, variant: InvalidCredentialsName): Check {
  return check(id, ['seller'], async (ctx) => {
    const as = invalidCredentials[variant](ctx);
    expectRejected(ctx, await listWithInvalidCredentials(ctx, as), [401]);
    expectRejected(ctx, await listInvoices(ctx, {}, { as, headers: sandboxHeader }), [401]);
  });
}

function alteredCredentialsCheck(id: CheckId, variants: readonly InvalidCredentialsName[]): Check {
  return check(id, ['seller'], async (ctx) => {
    const failures = variants.flatMap((variant) => ifSupported(() => invalidCredentials[variant](ctx)));
    if (failures.length === 0) notApplicable("none of these alterations is possible for the seller's key and secret");
    for (const response of await Promise.all(failures.map((as) => listWithInvalidCredentials(ctx, as))))
      expectRejected(ctx, response, [401]);
  });
}

/** Covers the other keys of the target file. A server may look up keys of another environment or scope differently. */
function otherKeysCheck(id: CheckId, variants: readonly InvalidCredentialsName[]): Check {
  return check(id, ['seller'], async (ctx) => {
    const others = nonSellerActors(ctx);
    if (others.length === 0) notApplicable('the target file has no other key');
    const failures = others.flatMap((name) =>
      variants.flatMap((variant) => ifSupported(() => invalidCredentials[variant](ctx, name))),
    );
    expectUnauthorized(ctx, await Promise.all(failures.map((as) => listWithInvalidCredentials(ctx, as))));
  });
}

/** Query parameter names that servers commonly use for credentials. */
const CREDENTIAL_PARAMETERS = [
  ['X-API-Key', 'X-API-Secret'],
  ['apiKey', 'apiSecret'],
  ['api_key', 'api_secret'],
  ['key', 'secret'],
] as const;

/** Proxy headers that claim an internal caller. Some servers skip the credentials of internal callers. */
const INTERNAL_PROXY_HEADERS = [
  [['X-Forwarded-For', '127.0.0.1']],
  [
    ['X-Real-IP', '127.0.0.1'],
    ['Forwarded', 'for=127.0.0.1'],
  ],
] as const;

export const invalidCredentialsChecks: readonly Check[] = [
  missingCredentialsCheck('AUTH-01.both-missing', 'both-missing'),

  missingCredentialsCheck('AUTH-01.key-missing', 'key-missing'),

  missingCredentialsCheck('AUTH-01.secret-missing', 'secret-missing'),

  invalidCredentialCheck('AUTH-01.key-empty', 'key-empty'),

  invalidCredentialCheck('AUTH-01.secret-empty', 'secret-empty'),

  check('AUTH-01.other-schemes', ['seller'], async (ctx) => {
    const { key, secret } = ctx.target.actors.seller ?? { key: '', secret: '' };
    const basic = Buffer.from(`${key}:${secret}`).toString('base64');
    for (const scheme of [`Basic ${basic}`, `Bearer ${secret}`, `Bearer ${key}`, `Bearer ${key}:${secret}`]) {
      const extra = { as: invalidCredentials['both-missing'](), headers: [['Authorization', scheme]] as const };
      expectRejected(ctx, await listInvoices(ctx, {}, extra), [401]);
    }
  }),

  otherKeysCheck('AUTH-01.each-key', ['secret-missing', 'secret-empty', 'key-missing']),

  check('AUTH-01.in-query', ['seller'], async (ctx) => {
    const { key, secret } = ctx.target.actors.seller ?? { key: '', secret: '' };
    const queries = CREDENTIAL_PARAMETERS.map(([first, second]) => ({ [first]: key, [second]: secret }));
    const responses = await Promise.all(
      queries.map((query) => listInvoices(ctx, query as object, { as: invalidCredentials['both-missing']() })),
    );
    if (responses.every(({ status }) => status === 400))
      notApplicable('the server rejects undeclared query parameters with 400 before it authenticates the request');
    for (const response of responses) expectRejected(ctx, response, [401, 400]);
  }),

  check('AUTH-01.other-paths', ['seller'], (ctx) => expectNoListByOtherPaths(ctx, 'both-missing')),

  invalidCredentialCheck('AUTH-02.unknown', 'key-unknown'),

  check('AUTH-02.other-prefix', ['seller'], async (ctx) => {
    expectUnauthorized(
      ctx,
      await Promise.all(unissuedProductionKeys(ctx).map((as) => listWithInvalidCredentials(ctx, as))),
    );
  }),

  invalidCredentialCheck('AUTH-02.truncated', 'key-truncated'),

  invalidCredentialCheck('AUTH-02.extended', 'key-extended'),

  invalidCredentialCheck('AUTH-02.letter-case', 'key-other-case'),

  invalidCredentialCheck('AUTH-02.swapped', 'swapped'),

  invalidCredentialCheck('AUTH-02.prefix-only', 'key-prefix-only'),

  invalidCredentialCheck('AUTH-02.long', 'key-long'),

  check('AUTH-02.special-characters', ['seller'], async (ctx) => {
    const variants = ['key-other-letters', 'secret-other-letters', 'key-quoted', 'secret-quoted'] as const;
    const sends = variants.map((variant) => () => listWithInvalidCredentials(ctx, invalidCredentials[variant](ctx)));
    for (const response of await responsesOf(sends)) expectRejectedByAnyLayer(ctx, response);
  }),

  alteredCredentialsCheck('AUTH-02.altered', [
    'key-middle-changed',
    'key-last-changed',
    'key-prefixed',
    'key-without-prefix',
    'key-prefix-other-case',
    'key-wildcard',
    'key-inherited',
  ]),

  disguisedCheck('AUTH-02.decorated', disguisedKeys.decorated),

  disguisedCheck('AUTH-02.encoded', disguisedKeys.encoded),

  disguisedCheck('AUTH-02.invisible', disguisedKeys.invisible),

  otherKeysCheck('AUTH-02.each-key', ['key-truncated', 'key-extended', 'key-other-case']),

  check('AUTH-03.wrong', ['seller'], async (ctx) => {
    const as = invalidCredentials['secret-wrong'](ctx);
    expectRejected(ctx, await listWithInvalidCredentials(ctx, as), [401]);
    // X-Environment does not change the result.
    expectRejected(ctx, await listInvoices(ctx, {}, { as, headers: sandboxHeader }), [401]);
    const others = otherKeysWithWrongSecret(ctx).map((other) => listWithInvalidCredentials(ctx, other));
    expectUnauthorized(ctx, await Promise.all(others));
  }),

  invalidCredentialCheck('AUTH-03.letter-case', 'secret-other-case'),

  invalidCredentialCheck('AUTH-03.truncated', 'secret-truncated'),

  invalidCredentialCheck('AUTH-03.extended', 'secret-extended'),

  invalidCredentialCheck('AUTH-03.first-half', 'secret-first-half'),

  invalidCredentialCheck('AUTH-03.last-changed', 'secret-last-changed'),

  invalidCredentialCheck('AUTH-03.first-missing', 'secret-first-cut'),

  invalidCredentialCheck('AUTH-03.reordered', 'secret-reordered'),

  invalidCredentialCheck('AUTH-03.key-as-secret', 'secret-is-key'),

  invalidCredentialCheck('AUTH-03.long', 'secret-long'),

  alteredCredentialsCheck('AUTH-03.altered', ['secret-first-changed', 'secret-middle-changed', 'secret-prefixed']),

  disguisedCheck('AUTH-03.decorated', disguisedSecrets.decorated),

  disguisedCheck('AUTH-03.encoded', disguisedSecrets.encoded),

  disguisedCheck('AUTH-03.invisible', disguisedSecrets.invisible),

  check('AUTH-03.other-paths', ['seller'], (ctx) => expectNoListByOtherPaths(ctx, 'secret-wrong')),

  otherKeysCheck('AUTH-03.each-key', ['secret-truncated', 'secret-extended', 'secret-other-case']),

  check('AUTH-03.another-key', ['seller'], async (ctx) => {
    for (const as of sellerKeyWithOtherSecrets(ctx))
      expectRejected(ctx, await listWithInvalidCredentials(ctx, as), [401]);
    // A server may look up the secret across the organization or across environments.
    const others = otherKeysWithSellerSecret(ctx).map((as) => listWithInvalidCredentials(ctx, as));
    expectUnauthorized(ctx, await Promise.all(others));
  }),

  check('AUTH-03.forwarded', ['seller'], async (ctx) => {
    for (const [at, headers] of INTERNAL_PROXY_HEADERS.entries()) {
      if (!isSuccess(await listInvoices(ctx, {}, { headers }))) continue;
      const variants = (['secret-wrong', 'both-missing', 'secret-empty'] as const).slice(0, at === 0 ? 3 : 2);
      for (const variant of variants)
        expectRejected(ctx, await listInvoices(ctx, {}, { as: invalidCredentials[variant](ctx), headers }), [401]);
    }
  }),
];
