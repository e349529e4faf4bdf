import { listConcurrently } from '../../helpers/api/operations.ts';
import { provokeRateLimit, waitForRateLimitReset } from '../../helpers/api/provoked-rate-limit.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { statusIsNot } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, checkInPhase } from '../../helpers/context/check.ts';

/** Others may use the same quota, so only a limiter that rejects every retry breaks the requirement. */
const MAX_RETRIES = 3;

export const retryAfterChecks: readonly Check[] = [
  checkInPhase('flood', 'RATE-04.retry-accepted', ['seller', 'rateLimitProbe'], async (ctx) => {
    const provoked = await provokeRateLimit(ctx);
    if (!provoked) return notApplicable('the server returned no 429 to 600 list requests at full speed');
    ctx.observe('rate-limit', '429 to list requests at full speed');
    let { response } = provoked;
    for (let tries = 0; tries < MAX_RETRIES && response.status === 429; tries += 1) {
      if (!(await waitForRateLimitReset(response)))
        notApplicable('the X-RateLimit-Reset of the 429 response is absent, unclear or more than a minute away');
      [response = response] = await listConcurrently(ctx, 1);
    }
    const because = `the server still returned 429 after ${MAX_RETRIES} retries, each after the time in X-RateLimit-Reset`;
    expectThat(
      ctx,
      response.status !== 429,
      response,
      'an accepted request after the time in X-RateLimit-Reset',
      because,
      statusIsNot(429),
    );
  }),
];
