import { environment } from '../../helpers/api/environment-header.ts';
import { revoked, revokedWithWrongSecret } from '../../helpers/api/invalid-credentials.ts';
import { list } from '../../helpers/api/operations.ts';
import { expectRefused } from '../../helpers/assert/expect.ts';
import { expectNoCreation, expectUnauthorized } from '../../helpers/authentication/unauthorized.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';

export const revokedKeyChecks: readonly Check[] = [
  check('AUTH-04.revoked', ['revoked'], async (lab) => {
    const as = revoked(lab);
    expectRefused(lab, await list(lab, {}, { as }), [401]);
    // Who names its own environment is no less revoked for it.
    const headers = environment(lab.target.actors.revoked?.key.startsWith('svc_prod_') ? 'PRODUCTION' : 'SANDBOX');
    expectUnauthorized(lab, [await list(lab, {}, { as, headers })]);
    expectUnauthorized(lab, [await list(lab, {}, { as: revokedWithWrongSecret(lab) })]);
  }),

  check('AUTH-04.revoked-write', ['connection', 'revoked'], (lab) => expectNoCreation(lab, [revoked(lab)])),
];
