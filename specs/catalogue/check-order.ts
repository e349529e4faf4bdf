import { z } from 'zod';
import { readDataFile } from '../data.ts';
import type { CheckId } from '../generated/ids.ts';

const orderedCheck = z.strictObject({
  check: z.string().transform((id) => id as CheckId),
  /** Requests that it adds to the checks before it, with their clean-up. */
  requests: z.number().int().min(0),
  /** Known defects that it detects and no check before it. */
  faults: z.number().int().min(0),
});
export type OrderedCheck = z.infer<typeof orderedCheck>;

const fileContent = z.strictObject({
  /** Requests of a run that belong to no check: the preflight, and the tests of the bindings. */
  fixedRequests: z.number().int().min(0),
  checks: z.array(orderedCheck),
});

export type CheckOrder = z.infer<typeof fileContent>;

const measured = fileContent.parse(readDataFile('catalogue/check-order'));
const { fixedRequests, checks } = measured;

/** All checks that send requests, in the order in which a run starts them: those first that detect most per request. */
export const checkOrder: readonly OrderedCheck[] = checks;

const places = new Map<string, number>(checks.map(({ check }, place) => [check, place]));

/** Whether a check judges the responses that other checks receive, and sends no request itself. */
export function isExchangeRule(id: string): boolean {
  return !places.has(id);
}

/** The place of a check in the order of a run; exchange rules, which send no requests, come last. */
export function placeOf(id: CheckId): number {
  return places.get(id) ?? places.size;
}

/** The part of a budget that is planned. The rest is for polls, for retries and for invoices that need two requests to remove. */
export const PLANNED_SHARE = 0.92;

/**
 * The checks that find most with this number of requests, and all exchange rules, which send none. A check that does not fit is
 * left out for later ones that do. The numbers of requests are those of the reference service.
 */
export function checksWithinBudget(ids: readonly CheckId[], requests: number, order: CheckOrder = measured): CheckId[] {
  const chosen = new Set(ids);
  let left = Math.floor(requests * PLANNED_SHARE) - order.fixedRequests;
  for (const { check, requests: cost } of order.checks) {
    if (!chosen.has(check)) continue;
    if (cost <= left) left -= cost;
    else chosen.delete(check);
  }
  return ids.filter((id) => chosen.has(id));
}

/** From this number of requests on, a check is among the longest of a run. */
const LONG_CHECK_REQUESTS = 30;

const longChecks: ReadonlySet<string> = new Set(
  checks.filter(({ requests }) => requests >= LONG_CHECK_REQUESTS).map(({ check }) => check),
);

/** Whether a run may last as long as this check. */
export function isLong(id: CheckId): boolean {
  return longChecks.has(id);
}

/** Requests that these checks send to a server like the reference service, with preflight and clean-up. */
export function requestsOf(ids: readonly CheckId[]): number {
  return fixedRequests + addedRequests(ids);
}

/** The same without the preflight and the tests of the bindings. */
export function addedRequests(ids: readonly CheckId[]): number {
  const chosen = new Set(ids);
  return checks.reduce((sum, { check, requests }) => (chosen.has(check) ? sum + requests : sum), 0);
}
