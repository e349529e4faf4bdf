import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUND_NEEDS } from '../../cli/options/shard-option.ts';
import { examineServer } from '../../cli/prove/judge-server.ts';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import { checksWithinBudget, type OrderedCheck } from '../../specs/catalogue/check-order.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import { readSignatures } from '../../specs/fault-signatures.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { allChecks } from '../../suites/all.ts';

/**
 * `npm run order` measures the requests of each check against the reference service and writes specs/catalogue/check-order.yaml:
 * the checks in the order in which each next one detects most of the known defects per request. It also writes the profile smoke.
 */
interface Exchange {
  /** 2 for a created invoice, which is removed again. */
  readonly requests: number;
}

/** It creates an invoice, so that all bindings are tested. */
const SMALL_CHECK: CheckId = 'CREATE-11.amount';

/** Fewer are the polls and controls that a check may need at any time. */
const MIN_HIDDEN_REQUESTS = 4;

/** Runs of these sizes show what a check costs if few others run. */
const CALIBRATED_BUDGETS = [500, 1000, 2000, 500, 1000];

const SMOKE_REQUESTS = 600;

let runs = 0;
const ownerOf = new Map<string, string>();
const exchanges = new Map<string, Exchange>();
const exchangesOf = new Map<CheckId, readonly string[]>();

for (const [id, own] of await exchangesOfRun()) exchangesOf.set(id, own);
const fixed = await measureFixedRequests();
await measureHiddenRequests();
let order = greedyOrder();
for (const budget of CALIBRATED_BUDGETS) {
  await calibrate(prefixWithin(order, budget));
  order = greedyOrder();
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
    (id) => !(needs.get(id) ?? []).some((need) => FUND_NEEDS.has(need)),
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
    for (const id of Object.keys(red)) detectedBy.set(id, (detectedBy.get(id) ?? new Set()).add(fault));
  });
  const ids = [...checkCatalogue.keys()].filter(isActive);
  const rest = new Set(ids);
  const [detected, sent] = [new Set<number>(), new Set<string>()];
  const found: OrderedCheck[] = [];
  const candidate = (check: CheckId): OrderedCheck => ({
    check,
    requests: newRequests(exchangesOf.get(check) ?? [], sent),
    faults: [...(detectedBy.get(check) ?? [])].filter((fault) => !detected.has(fault)).length,
  });
  const worth = ({ faults, requests }: OrderedCheck) => faults / (requests + 1);
  while (rest.size > 0) {
    const [best] = [...rest]
      .map(candidate)
      .sort((one, other) => worth(other) - worth(one) || one.requests - other.requests);
    if (best === undefined) break;
    rest.delete(best.check);
    for (const fault of detectedBy.get(best.check) ?? []) detected.add(fault);
    for (const id of exchangesOf.get(best.check) ?? []) sent.add(id);
    found.push(best);
  }
  return found;
}

function newRequests(ids: readonly string[], sent: ReadonlySet<string>): number {
  return ids.reduce((sum, id) => sum + (sent.has(id) ? 0 : (exchanges.get(id)?.requests ?? 0)), 0);
}

/** Requests of a run of one small check, without its own: the preflight, and the tests of the bindings. */
async function measureFixedRequests(): Promise<number> {
  const { requests } = await examineServer({}, [SMALL_CHECK]);
  return requests - newRequests(exchangesOf.get(SMALL_CHECK) ?? [], new Set());
}

/**
 * Some checks judge an experiment that another check has run, and have no exchanges of it. Alone, each of them runs the experiment.
 * It counts for each of these checks, because any of them may be the first.
 */
async function measureHiddenRequests(): Promise<void> {
  for (const id of [...exchangesOf.keys()].filter(isActive)) {
    const own = exchangesOf.get(id) ?? [];
    const { requests } = await examineServer({}, [id]);
    const hidden = requests - fixed - newRequests(own, new Set());
    if (hidden < MIN_HIDDEN_REQUESTS) continue;
    exchanges.set(`hidden ${id}`, { requests: hidden });
    exchangesOf.set(id, [...own, `hidden ${id}`]);
  }
}

/** In a run of a few checks, some of them pay for what other checks pay for in a whole run. */
async function calibrate(ids: readonly CheckId[]): Promise<void> {
  const sent = new Set<string>();
  const measured = await exchangesOfRun(ids);
  for (const id of ids) {
    const expected = newRequests(exchangesOf.get(id) ?? [], sent);
    const actual = newRequests(
      (measured.get(id) ?? []).filter((each) => ownerOf.get(each) === id),
      new Set(),
    );
    for (const each of exchangesOf.get(id) ?? []) sent.add(each);
    if (actual - expected < MIN_HIDDEN_REQUESTS) continue;
    const name = `hidden ${id} in a run of ${ids.length}`;
    exchanges.set(name, { requests: actual - expected });
    exchangesOf.set(id, [...(exchangesOf.get(id) ?? []), name]);
  }
}

function prefixWithin(checks: readonly OrderedCheck[], budget: number): CheckId[] {
  let left = budget - fixed;
  return checks.flatMap(({ check, requests }) => {
    if (requests > left) return [];
    left -= requests;
    return [check];
  });
}

/** The exchanges of each check in a run of these checks, and their requests. */
async function exchangesOfRun(ids?: readonly CheckId[]): Promise<Map<CheckId, readonly string[]>> {
  const found = new Map<CheckId, readonly string[]>();
  runs += 1;
  const nameOf = (id: string) => `${runs} ${id}`;
  await examineServer({}, ids, async ({ folder }) => {
    for await (const records of readOwnSlimRecords(join(folder, JOURNAL_FILE))) {
      for (const record of records) {
        if (record.kind === 'check') found.set(record.id as CheckId, record.exchanges.map(nameOf));
        if (record.kind !== 'exchange') continue;
        const isCreation = record.label.endsWith(': create') && record.response?.status === 201;
        exchanges.set(nameOf(record.id), { requests: isCreation ? 2 : 1 });
        if (record.check !== null) ownerOf.set(nameOf(record.id), record.check);
      }
    }
  });
  return found;
}

function isActive(id: CheckId): boolean {
  return allChecks.some((check) => check.id === id);
}
