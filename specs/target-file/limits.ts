import { z } from 'zod';

export const limits = z
  .strictObject({
    concurrency: z
      .number()
      .int()
      .min(1)
      .max(256)
      .default(16)
      .meta({ description: 'Maximum number of concurrent requests, from 1 to 256.', examples: [4] }),
    requestsPerSecond: z
      .union([z.literal('none'), z.number().positive()])
      .default('none')
      .meta({ description: 'Maximum rate in requests per second, or `none`.', examples: [20] }),
    requestsPerMinute: z
      .union([z.literal('none'), z.number().positive()])
      .default('none')
      .meta({
        description:
          'A quota of the server in requests per minute, or `none`. The run stays below it from the first request.',
        examples: [600],
      }),
    requestTimeoutMs: z
      .number()
      .int()
      .min(10)
      .max(600_000)
      .default(10_000)
      .meta({
        description:
          'Milliseconds for one exchange, from connecting to the last byte received; from 10 to 600000. An exchange that takes longer is a timeout.',
        examples: [30_000],
      }),
    settleWithinMs: z
      .number()
      .int()
      .min(0)
      .max(600_000)
      .default(5_000)
      .meta({
        description:
          'Milliseconds within which the effect of an accepted action must show; from 0 to 600000. An effect that shows later, but within three times this value, blocks the check. An effect that never shows is a breach. The kit waits as long for a webhook delivery, but at least 5 seconds.',
        examples: [15_000],
      }),
    startWithinMs: z
      .number()
      .int()
      .min(0)
      .max(600_000)
      .default(0)
      .meta({
        description:
          'Milliseconds that a server that starts on demand may take to respond at the start of a run; from 0 to 600000. With 0, the kit does not wait.',
        examples: [60_000],
      }),
    withdrawAtMost: z
      .string()
      .regex(/^\d+\.\d{2}$/, 'must be an amount with two decimal places in quotes, such as "1000.00"')
      .default('1000.00')
      .meta({
        description:
          'Maximum sum of all withdrawals of a run, in quotes and with two decimals. Checks that would withdraw more are blocked.',
        examples: ['30005.00'],
      }),
    maxRequests: z
      .union([z.literal('none'), z.number().int().positive()])
      .default('none')
      .meta({
        description: 'Maximum number of requests of a run, including clean-up, or `none`.',
        examples: [5_000],
      }),
    deadlineMs: z
      .union([z.literal('none'), z.number().int().min(1000).max(86_400_000)])
      .default('none')
      .meta({
        description:
          'Milliseconds after which no check sends a request, from 1000 to 86400000, or `none`. The checks that remain are not judged.',
        examples: [1_800_000],
      }),
  })
  .prefault({})
  .meta({ description: 'Limits of a run. All times are in milliseconds.', examples: [{ requestsPerMinute: 600 }] });

export const allow = z
  .strictObject({
    reset: z
      .boolean()
      .default(false)
      .describe(
        'Whether the run ends with a sandbox reset, which invalidates the sandbox keys. If false, the checks of the reset are left out.',
      ),
    rateLimitProbe: z
      .boolean()
      .default(false)
      .describe(
        'Whether the kit sends up to 600 list requests at full speed to trigger the rate limiter. If false, the check of a retry after a 429 is left out.',
      ),
    productionWrites: z
      .boolean()
      .default(false)
      .describe(
        'Whether the kit changes data with the production key and with `X-Environment: PRODUCTION`. Set it only for a whole stack that you discard afterwards. If false, the checks that need such a change are left out.',
      ),
  })
  .prefault({})
  .meta({
    description:
      'Checks that destroy data or put load on the server. They run only if you allow them, and every report names those that you did not allow.',
    examples: [{ reset: true }],
  });
