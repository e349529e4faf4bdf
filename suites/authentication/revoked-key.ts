import { environmentHeader } from '../../helpers/api/environment-header.ts';
import {
  listWithInvalidCredentials,
  revokedCredentials,
  revokedWithWrongSecret,
} from '../../helpers/api/invalid-credentials.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { expectCreationUnauthorized, expectUnauthorized } from '../../helpers/authentication/unauthorized.ts';
import { type Check, check } from '../../helpers/context/check.ts';

export const revokedKeyChecks: readonly Check[] = [
  check('AUTH-04.revoked', ['revoked'], async (ctx) => {
    const as = revokedCredentials(ctx);
    expectRejected(ctx, await listWithInvalidCredentials(ctx, as), [401]);
    // X-Environment with the key's own environment does not change the result.
    const headers = environmentHeader(
      ctx.target.actors.revoked?.key.startsWith('svc_prod_') ? 'PRODUCTION' : 'SANDBOX',
    );
    expectUnauthorized(ctx, [await listInvoices(ctx, {}, { as, headers })]);
    expectUnauthorized(ctx, [await listWithInvalidCredentials(ctx, revokedWithWrongSecret(ctx))]);
  }),

  check('AUTH-04.revoked-write', ['connection', 'revoked'], (ctx) =>
    expectCreationUnauthorized(ctx, [revokedCredentials(ctx)]),
  ),
];
