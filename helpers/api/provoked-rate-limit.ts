import { setTimeout as pause } from 'node:timers/promises';
import { certainRateLimitWaitMs } from '../../engine/http/rate-limit-reset.ts';
import type { CheckContext } from '../context/check.ts';
import { listConcurrently } from './operations.ts';
import { type ApiResponse, headerValue } from './responses.ts';

const MAX_REQUESTS_TO_LIMIT = 600;
const REQUESTS_PER_BATCH = 20;
/** Covers clock differences and whole seconds in the reset time. */
const CLOCK_TOLERANCE_MS = 1100;
const MAX_RESET_WAIT_MS = 60_000;

/** Sends list requests at the maximum rate of the target file until the server returns 429; null when it never does. */
export async function provokeRateLimit(ctx: CheckContext): Promise<{ response: ApiResponse; after: number } | null> {
  for (let sent = REQUESTS_PER_BATCH; sent <= MAX_REQUESTS_TO_LIMIT; sent += REQUESTS_PER_BATCH) {
    const response = (await listConcurrently(ctx, REQUESTS_PER_BATCH)).find(({ status }) => status === 429);
    if (response) return { response, after: sent };
  }
  return null;
}

/** Waits until the reset time of a 429. False when that is more than a minute away, or depends on a clock or zone that is not given. */
export async function waitForRateLimitReset(response: ApiResponse): Promise<boolean> {
  const wait = certainRateLimitWaitMs(headerValue(response, 'x-ratelimit-reset'), headerValue(response, 'date'));
  if (wait === null || wait >= MAX_RESET_WAIT_MS) return false;
  await pause(wait + CLOCK_TOLERANCE_MS);
  return true;
}
