import { environmentHeader } from '../../helpers/api/environment-header.ts';
import { revokedCredentials, revokedWithWrongSecret } from '../../helpers/api/invalid-credentials.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { expectCreationUnauthorized, expectUnauthorized } from '../../helpers/authentication/unauthorized.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';

export const revokedKeyChecks: readonly Check[] = [
  check('AUTH-04.revoked', ['revoked'], async (lab) => {
    const as = revokedCredentials(lab);
    expectRejected(lab, await listInvoices(lab, {}, { as }), [401]);
    // Who names its own environment is no less revoked for it.
    const headers = environmentHeader(
      lab.target.actors.revoked?.key.startsWith('svc_prod_') ? 'PRODUCTION' : 'SANDBOX',
    );
    expectUnauthorized(lab, [await listInvoices(lab, {}, { as, headers })]);
    expectUnauthorized(lab, [await listInvoices(lab, {}, { as: revokedWithWrongSecret(lab) })]);
  }),

  check('AUTH-04.revoked-write', ['connection', 'revoked'], (lab) =>
    expectCreationUnauthorized(lab, [revokedCredentials(lab)]),
  ),
];
