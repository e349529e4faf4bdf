import { environmentHeader } from '../../helpers/api/environment-header.ts';
import type { Credentials } from '../../helpers/api/invalid-credentials.ts';
import {
  credentialsRejectedByList,
  invalidCredentials,
  revokedCredentials,
} from '../../helpers/api/invalid-credentials.ts';
import { listInvoices, postInvoice, readInvoice, sendAction } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { expectUnauthorized, REPRESENTATIVE_FAILURES } from '../../helpers/authentication/unauthorized.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { nonexistentId } from '../../helpers/invoices/nonexistent-id.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** A request with two defects, of which the credentials are to be told. */
function authenticationFirstCheck(
  id: CheckId,
  needs: Check['needs'],
  ask: (lab: CheckContext, as: Credentials) => Promise<ApiResponse>,
): Check {
  return check(id, needs, async (lab) => {
    const ended = lab.target.actors.revoked ? await credentialsRejectedByList(lab, [revokedCredentials(lab)]) : [];
    for (const as of [...REPRESENTATIVE_FAILURES.map((way) => invalidCredentials[way](lab)), ...ended])
      expectRejected(lab, await ask(lab, as), [401]);
  });
}

export const precedenceChecks: readonly Check[] = [
  authenticationFirstCheck('AUTH-08.before-body', ['seller'], (lab, as) => postInvoice(lab, '{"amount": oops', { as })),

  authenticationFirstCheck('AUTH-08.before-environment', ['seller'], (lab, as) =>
    listInvoices(lab, {}, { as, headers: environmentHeader('MOON') }),
  ),

  check('AUTH-08.before-mismatch', ['seller'], async (lab) => {
    const ended = lab.target.actors.revoked ? await credentialsRejectedByList(lab, [revokedCredentials(lab)]) : [];
    const asked = [...REPRESENTATIVE_FAILURES.map((way) => invalidCredentials[way](lab)), ...ended].map((as) => {
      const other = as.headers.some(([, value]) => value.startsWith('svc_prod_')) ? 'SANDBOX' : 'PRODUCTION';
      return listInvoices(lab, {}, { as, headers: environmentHeader(other) });
    });
    expectUnauthorized(lab, await Promise.all(asked));
  }),

  authenticationFirstCheck('AUTH-10.read', ['seller', 'read'], async (lab, as) =>
    readInvoice(lab, await nonexistentId(lab), { as }),
  ),

  authenticationFirstCheck('AUTH-10.submit', ['seller', 'submit'], async (lab, as) =>
    sendAction(lab, 'submit', await nonexistentId(lab), { as }),
  ),
];
