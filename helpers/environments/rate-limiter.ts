import { setTimeout as pause } from 'node:timers/promises';
import { clockOf, rateLimitWait } from '../../engine/http/rate-limit-reset.ts';
import { listTogether } from '../api/operations.ts';
import { type ApiResponse, headerValue } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';

const MOST_REQUESTS = 600;
const WIDTH = 20;
/** Clocks and whole seconds: a server may count from the begun second. */
const GRACE_MS = 1100;
const LONGEST_WAIT_MS = 60_000;

/** Lists as fast as the target's limits allow until the rate limiter answers; null when it never does. */
export async function provoke(lab: Lab): Promise<{ answer: ApiResponse; after: number } | null> {
  for (let sent = WIDTH; sent <= MOST_REQUESTS; sent += WIDTH) {
    const answer = (await listTogether(lab, WIDTH)).find(({ status }) => status === 429);
    if (answer) return { answer, after: sent };
  }
  return null;
}

/** Waits as long as a 429 asks for; false when it asks for more than a minute, or for nothing that can be read. */
export async function waitAsAsked(answer: ApiResponse): Promise<boolean> {
  const wait = rateLimitWait(headerValue(answer, 'x-ratelimit-reset'), clockOf(headerValue(answer, 'date')));
  if (wait === null || wait >= LONGEST_WAIT_MS) return false;
  await pause(wait + GRACE_MS);
  return true;
}
