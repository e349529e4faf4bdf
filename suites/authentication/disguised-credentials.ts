import {
  disguisedForWrites,
  disguisedKeys,
  disguisedSecrets,
  repeatedHeaders,
} from '../../helpers/api/disguised-credentials.ts';
import {
  type CredentialVariant,
  credentialsRejectedByList,
  ifSupported,
  listWithInvalidCredentials,
} from '../../helpers/api/invalid-credentials.ts';
import { expectRejected } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/unjudged-outcomes.ts';
import { expectCreationUnauthorized } from '../../helpers/authentication/unauthorized.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** A proxy may reject an unusual or a repeated header with its own 400 response. */
const REJECTIONS = [401, 400];

/** Only the exact value is valid. A layer that turns the sent value back into it accepts a credential that was never issued. */
function disguisedCheck(id: CheckId, variants: readonly CredentialVariant[]): Check {
  return check(id, ['seller'], async (ctx) => {
    const failures = variants.flatMap((variant) => ifSupported(() => variant(ctx)));
    const responses = await Promise.all(failures.map((as) => listWithInvalidCredentials(ctx, as)));
    for (const response of responses) expectRejected(ctx, response, REJECTIONS);
  });
}

export const disguisedCredentialsChecks: readonly Check[] = [
  disguisedCheck('AUTH-02.decorated', disguisedKeys.decorated),

  disguisedCheck('AUTH-02.encoded', disguisedKeys.encoded),

  disguisedCheck('AUTH-02.invisible', disguisedKeys.invisible),

  disguisedCheck('AUTH-03.decorated', disguisedSecrets.decorated),

  disguisedCheck('AUTH-03.encoded', disguisedSecrets.encoded),

  disguisedCheck('AUTH-03.invisible', disguisedSecrets.invisible),

  check('AUTH-07.create-disguised', ['connection'], async (ctx) => {
    const failures = disguisedForWrites.flatMap((variant) => ifSupported(() => variant(ctx)));
    // Those that the list accepts are reported by AUTH-02 and AUTH-03.
    const rejected = await credentialsRejectedByList(ctx, failures);
    if (rejected.length === 0)
      notApplicable('the list rejects no such credentials with 401', { judgedBy: 'AUTH-02.decorated' });
    await expectCreationUnauthorized(ctx, rejected);
  }),

  check('AUTH-11.repeated', ['seller'], async (ctx) => {
    const responses = await Promise.all(repeatedHeaders(ctx).map((as) => listWithInvalidCredentials(ctx, as)));
    for (const response of responses) expectRejected(ctx, response, REJECTIONS);
  }),
];
