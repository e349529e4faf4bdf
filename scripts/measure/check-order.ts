import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUND_NEEDS } from '../../cli/options/shard-option.ts';
import { examineServer, type JudgedServer } from '../../cli/prove/judge-server.ts';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import { checksWithinBudget, type OrderedCheck, PLANNED_SHARE } from '../../specs/catalogue/check-order.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import { readSignatures } from '../../specs/fault-signatures.ts';
import type { SlimExchange } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { allChecks } from '../../suites/all.ts';

/**
 * `npm run order` measures the requests of each check against the reference service and writes specs/catalogue/check-order.yaml:
 * the checks in the order in which each next one detects most of the known defects per request. It also writes the profile smoke.
 */

/** Runs of these sizes show what a check costs if few others run. The smallest is last, because its checks have the least to share. */
const CALIBRATED_BUDGETS = [2000, 1000, 500];
/** Each run changes the costs, and so the checks of the next one. */
const CALIBRATIONS = 6;

/** In runs of these sizes at the end, a cost only rises: a check that pays for others is not planned as if they had paid. */
const CONFIRMED_BUDGETS = [500, 300];
const CONFIRMATIONS = 3;

const SMOKE_REQUESTS = 600;

/** More than a whole run sends. Some checks are not applicable if the number of requests is limited. */
const AMPLE_BUDGET = 100_000;

/** The weight of a check besides its requests, in requests. The value gives the best curve (`npm run curve`). */
const CHECK_WEIGHT = 0.3;

/** Requests of a run that belong to no check: the preflight, and the tests of the bindings. */
let fixed = 0;
/** The requests of each check in the last run in which it was judged, with those that remove what it leaves. */
const ownRequests = new Map<CheckId, number>();

/** Checks that have withdrawn, as some do if the target file allows it. */
const withdrawing = new Set<string>();

const judgedByWholeRun = await measure();
let order = greedyOrder();
for (let round = 0; round < CALIBRATIONS; round += 1) {
  for (const budget of CALIBRATED_BUDGETS) {
    await measure(prefixWithin(order, budget));
    order = greedyOrder();
  }
}
for (let round = 0; round < CONFIRMATIONS; round += 1) {
  for (const budget of CONFIRMED_BUDGETS) {
    await measure(prefixWithin(order, budget), Math.max);
    order = greedyOrder();
  }
}
const lines = order.map(
  ({ check, requests, faults }) => `  - { check: ${check}, requests: ${requests}, faults: ${faults} }`,
);
writeFileSync(
  new URL('../../specs/catalogue/check-order.yaml', import.meta.url),
  `# The order in which a run starts its checks, and what each adds. Written by \`npm run order\`.\nfixedRequests: ${fixed}\nchecks:\n${lines.join('\n')}\n`,
);
writeFileSync(new URL('../../specs/catalogue/smoke.yaml', import.meta.url), smokeProfile());

/** The profile smoke: the checks of core that detect most within its requests and move no money. */
function smokeProfile(): string {
  const needs = new Map(allChecks.map((check) => [check.id, check.needs]));
  const candidates = checksOfProfile('core').filter(
    (id) => !withdrawing.has(id) && !(needs.get(id) ?? []).some((need) => FUND_NEEDS.has(need)),
  );
  const checks = checksWithinBudget(candidates, SMOKE_REQUESTS, { fixedRequests: fixed, checks: order });
  return `# Written by \`npm run order\`.
title: A gate that takes seconds; the checks of core that detect the most known defects within ${SMOKE_REQUESTS} requests and move no money
checks:
${checks.map((id) => `  - ${id}`).join('\n')}
`;
}

/** The checks that send requests: at each place the one with the best ratio of new defects to new requests. */
function greedyOrder(): OrderedCheck[] {
  const detectedBy = new Map<string, Set<number>>();
  readSignatures().forEach(({ red }, fault) => {
    for (const id of Object.keys(red) as CheckId[])
      if (judgedByWholeRun.has(id)) detectedBy.set(id, (detectedBy.get(id) ?? new Set()).add(fault));
  });
  const ids = [...checkCatalogue.keys()].filter(isActive);
  const rest = new Set(ids);
  const detected = new Set<number>();
  const found: OrderedCheck[] = [];
  const candidate = (check: CheckId): OrderedCheck => ({
    check,
    requests: ownRequests.get(check) ?? 0,
    faults: [...(detectedBy.get(check) ?? [])].filter((fault) => !detected.has(fault)).length,
  });
  const worth = ({ faults, requests }: OrderedCheck) => faults / (requests + CHECK_WEIGHT);
  while (rest.size > 0) {
    const [best] = [...rest]
      .map(candidate)
      .sort((one, other) => worth(other) - worth(one) || one.requests - other.requests);
    if (best === undefined) break;
    rest.delete(best.check);
    for (const fault of detectedBy.get(best.check) ?? []) detected.add(fault);
    found.push(best);
  }
  return found;
}

function prefixWithin(checks: readonly OrderedCheck[], budget: number): CheckId[] {
  let left = Math.floor(budget * PLANNED_SHARE) - fixed;
  return checks.flatMap(({ check, requests }) => {
    if (requests > left) return [];
    left -= requests;
    return [check];
  });
}

function average(last: number, now: number): number {
  return Math.ceil((last + now) / 2);
}

/** Measures the requests in a run of these checks, by default of all. Returns the checks that were applicable. */
async function measure(ids?: readonly CheckId[], combine = average): Promise<ReadonlySet<CheckId>> {
  const own = new Map<string, number>();
  const inspect = async ({ folder }: JudgedServer) => {
    for await (const records of readOwnSlimRecords(join(folder, JOURNAL_FILE))) {
      for (const record of records) {
        if (record.kind !== 'exchange' || record.check === null) continue;
        own.set(record.check, (own.get(record.check) ?? 0) + requestsFor(record));
        if (record.label.endsWith(': treasuryWithdraw')) withdrawing.add(record.check);
      }
    }
  };
  const { judged, requests } = await examineServer({}, ids, { budget: AMPLE_BUDGET, inspect });
  fixed = requests - [...own.values()].reduce((sum, each) => sum + each, 0);
  for (const { id } of judged) {
    const [last, now] = [ownRequests.get(id), own.get(id) ?? 0];
    ownRequests.set(id, last === undefined ? now : combine(last, now));
  }
  return new Set(judged.filter(({ verdict }) => verdict !== 'not-applicable').map(({ id }) => id));
}

/** A created invoice or subscription is deleted, and a disputed invoice resolved. */
function requestsFor({ label, response }: SlimExchange): number {
  const leavesSomething = /: (?:create|webhookCreate|dispute)$/.test(label) && (response?.status ?? 500) < 300;
  return leavesSomething ? 2 : 1;
}

function isActive(id: CheckId): boolean {
  return allChecks.some((check) => check.id === id);
}
