import { environmentHeader } from '../../helpers/api/environment-header.ts';
import {
  type Credentials,
  credentialsRejectedByList,
  invalidCredentials,
  revokedCredentials,
} from '../../helpers/api/invalid-credentials.ts';
import { listInvoices, postInvoice, readInvoice, sendAction } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { expectUnauthorized, REPRESENTATIVE_FAILURES } from '../../helpers/authentication/unauthorized.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { nonexistentId } from '../../helpers/invoices/nonexistent-id.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** Sends a request with two defects. The response must report the credentials. */
function authenticationFirstCheck(
  id: CheckId,
  needs: Check['needs'],
  request: (ctx: CheckContext, as: Credentials) => Promise<ApiResponse>,
): Check {
  return check(id, needs, async (ctx) => {
    const ended = ctx.target.actors.revoked ? await credentialsRejectedByList(ctx, [revokedCredentials(ctx)]) : [];
    for (const as of [...REPRESENTATIVE_FAILURES.map((variant) => invalidCredentials[variant](ctx)), ...ended])
      expectRejected(ctx, await request(ctx, as), [401]);
  });
}

export const precedenceChecks: readonly Check[] = [
  authenticationFirstCheck('AUTH-08.before-body', ['seller'], (ctx, as) => postInvoice(ctx, '{"amount": oops', { as })),

  authenticationFirstCheck('AUTH-08.before-environment', ['seller'], (ctx, as) =>
    listInvoices(ctx, {}, { as, headers: environmentHeader('MOON') }),
  ),

  check('AUTH-08.before-mismatch', ['seller'], async (ctx) => {
    const ended = ctx.target.actors.revoked ? await credentialsRejectedByList(ctx, [revokedCredentials(ctx)]) : [];
    const requests = [...REPRESENTATIVE_FAILURES.map((variant) => invalidCredentials[variant](ctx)), ...ended].map(
      (as) => {
        const other = as.headers.some(([, value]) => value.startsWith('svc_prod_')) ? 'SANDBOX' : 'PRODUCTION';
        return listInvoices(ctx, {}, { as, headers: environmentHeader(other) });
      },
    );
    expectUnauthorized(ctx, await Promise.all(requests));
  }),

  authenticationFirstCheck('AUTH-10.read', ['seller', 'read'], async (ctx, as) =>
    readInvoice(ctx, await nonexistentId(ctx), { as }),
  ),

  authenticationFirstCheck('AUTH-10.submit', ['seller', 'submit'], async (ctx, as) =>
    sendAction(ctx, 'submit', await nonexistentId(ctx), { as }),
  ),
];
