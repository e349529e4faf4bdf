import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import {
  answeredOf,
  expectJsonResponse,
  sendLargeCreations,
  sendLongHeaders,
  sendLongQueries,
  sendVeryLargeCreation,
} from '../../helpers/creation/large-requests.ts';

export const largeRequestsChecks: readonly Check[] = [
  check('ERR-02.large-bodies', ['connection'], async (ctx) => {
    for (const each of answeredOf(ctx, await sendLargeCreations(ctx))) expectJsonResponse(ctx, each);
  }),

  check('ERR-13.long-headers', ['seller'], async (ctx) => {
    for (const each of answeredOf(ctx, await sendLongHeaders(ctx))) expectJsonResponse(ctx, each);
  }),

  check('ERR-13.long-queries', ['seller'], async (ctx) => {
    for (const each of answeredOf(ctx, await sendLongQueries(ctx))) expectJsonResponse(ctx, each);
  }),

  // Late, because it takes the bandwidth that other checks need.
  checkInPhase('late', 'ERR-02.very-large-body', ['connection'], async (ctx) => {
    if (ctx.target.limits.maxRequests !== 'none')
      notApplicable('a run with a limited number of requests sends no body of 8 MiB');
    for (const each of answeredOf(ctx, [await sendVeryLargeCreation(ctx)])) expectJsonResponse(ctx, each);
  }),
];
