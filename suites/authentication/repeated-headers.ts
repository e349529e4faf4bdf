import { repeatedHeaders } from '../../helpers/api/disguised-credentials.ts';
import { listWithInvalidCredentials } from '../../helpers/api/invalid-credentials.ts';
import { responsesOf } from '../../helpers/api/responses.ts';
import { expectRejectedByAnyLayer } from '../../helpers/authentication/unauthorized.ts';
import { type Check, check } from '../../helpers/context/check.ts';

export const repeatedHeadersChecks: readonly Check[] = [
  check('AUTH-11.repeated', ['seller'], async (ctx) => {
    const responses = await responsesOf(repeatedHeaders(ctx).map((as) => () => listWithInvalidCredentials(ctx, as)));
    for (const response of responses) expectRejectedByAnyLayer(ctx, response);
  }),
];
