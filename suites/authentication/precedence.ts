import { environment } from '../../helpers/api/environment-header.ts';
import type { Credentials } from '../../helpers/api/invalid-credentials.ts';
import { refusedOnList, revoked, waysToFail } from '../../helpers/api/invalid-credentials.ts';
import { act, list, postInvoice, readInvoice } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { expectRefused } from '../../helpers/assert/expect.ts';
import { expectUnauthorized, TELLING } from '../../helpers/authentication/unauthorized.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { absentId } from '../../helpers/invoices/nonexistent-id.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** A request with two defects, of which the credentials are to be told. */
function judgedFirst(
  id: CheckId,
  needs: Check['needs'],
  ask: (lab: Lab, as: Credentials) => Promise<ApiResponse>,
): Check {
  return check(id, needs, async (lab) => {
    const ended = lab.target.actors.revoked ? await refusedOnList(lab, [revoked(lab)]) : [];
    for (const as of [...TELLING.map((way) => waysToFail[way](lab)), ...ended])
      expectRefused(lab, await ask(lab, as), [401]);
  });
}

export const precedenceChecks: readonly Check[] = [
  judgedFirst('AUTH-08.before-body', ['seller'], (lab, as) => postInvoice(lab, '{"amount": oops', { as })),

  judgedFirst('AUTH-08.before-environment', ['seller'], (lab, as) =>
    list(lab, {}, { as, headers: environment('MOON') }),
  ),

  check('AUTH-08.before-mismatch', ['seller'], async (lab) => {
    const ended = lab.target.actors.revoked ? await refusedOnList(lab, [revoked(lab)]) : [];
    const asked = [...TELLING.map((way) => waysToFail[way](lab)), ...ended].map((as) => {
      const other = as.headers.some(([, value]) => value.startsWith('svc_prod_')) ? 'SANDBOX' : 'PRODUCTION';
      return list(lab, {}, { as, headers: environment(other) });
    });
    expectUnauthorized(lab, await Promise.all(asked));
  }),

  judgedFirst('AUTH-10.read', ['seller', 'read'], async (lab, as) => readInvoice(lab, await absentId(lab), { as })),

  judgedFirst('AUTH-10.submit', ['seller', 'submit'], async (lab, as) =>
    act(lab, 'submit', await absentId(lab), { as }),
  ),
];
