import type { Changes } from '../../specs/formats/changes.ts';
import type { Night } from '../../specs/formats/night.ts';
import { type CheckVerdict, isRed } from '../../specs/verdicts.ts';
import { groupBy } from '../text/group-by.ts';
import { latencyChanges } from './latency-changes.ts';

/** The number of runs in which flaky checks, drift and usual latencies are looked for. */
export const COMPARED_RUNS = 14;
/** A single change is a new failure or a fixed one. */
const MIN_FLAKY_CHANGES = 2;

/** Compares a run with the earlier runs of its history, oldest first. A pure function. */
export function compareNights(earlier: readonly Night[], now: Night): Changes {
  const last = earlier.at(-1);
  const recent = earlier.slice(1 - COMPARED_RUNS);
  // An interrupted run has seen only a part of the behaviour.
  const comparable = recent.filter((night) => isSameScope(night, now) && night.run.interrupted === undefined);
  const checks = Object.entries(now.checks);
  const before = new Map(checks.map(([id]) => [id, lastJudgement(earlier, id)]));
  const redNow = checks.flatMap(([check, verdict]) =>
    verdict === 'fail' || verdict === 'warn' ? [{ check, verdict }] : [],
  );
  const wasRed = (id: string) => isRed({ verdict: before.get(id) ?? 'pass' });
  const kit = kitChanges(last ?? now, now);
  return {
    schemaVersion: 1,
    from: last ? { id: last.run.id, startedAt: last.run.startedAt } : null,
    to: { id: now.run.id, startedAt: now.run.startedAt },
    undecided: now.undecided,
    kit,
    server: { before: (last ?? now).target.implementation?.version ?? null, now: versionOf(now) },
    newFailures: redNow
      .filter(({ check }) => !wasRed(check))
      .map((each) => ({ ...each, by: causeOf(each.check, before.get(each.check), kit) })),
    fixed: checks.filter(([id, verdict]) => verdict === 'pass' && wasRed(id)).map(([id]) => id),
    stillFailing: redNow
      .filter(({ check }) => wasRed(check))
      .map((each) => ({ ...each, since: redSince(earlier, now, each.check) })),
    flaky: checks.flatMap(([check]) => flakiness([...recent, now], check)),
    lost: lostChecks(earlier, now),
    drift: drift(comparable, now),
    latency: latencyChanges(comparable, now),
  };
}

/** Whether anything changed that a person should look at. */
export function hasChanges({ kit, server, newFailures, fixed, lost, drift: drifted, latency }: Changes): boolean {
  return (
    isKitChanged(kit) ||
    server.before !== server.now ||
    [newFailures, fixed, lost, drifted, latency].some(({ length }) => length > 0)
  );
}

export function isKitChanged(kit: Changes['kit']): boolean {
  const { newChecks, changedChecks, retiredChecks } = kit;
  return kit.before !== kit.now || newChecks.length + changedChecks.length + retiredChecks.length > 0;
}

/** Whether two runs judged the same checks: others send other requests, and see other behaviour. */
export function isSameScope({ run: one }: Night, { run: other }: Night): boolean {
  const scopeOf = ({ profile, filtered, budget, shard }: Night['run']) =>
    JSON.stringify([profile, filtered, budget ?? null, shard ?? null]);
  return scopeOf(one) === scopeOf(other);
}

function isJudged(verdict: CheckVerdict | undefined): verdict is CheckVerdict {
  return verdict === 'pass' || verdict === 'warn' || verdict === 'fail';
}

/** The verdict of a check when it was last judged; undefined if it never was. */
function lastJudgement(nights: readonly Night[], id: string): CheckVerdict | undefined {
  return nights.findLast(({ checks }) => isJudged(checks[id]))?.checks[id];
}

function versionOf({ target }: Night): string | null {
  return target.implementation?.version ?? null;
}

function kitChanges(last: Night, now: Night): Changes['kit'] {
  const name = ({ kit }: Night) => `${kit.name} ${kit.version}`;
  const [old, current] = [last.digests, now.digests];
  return {
    before: name(last),
    now: name(now),
    newChecks: Object.keys(current).filter((id) => !Object.hasOwn(old, id)),
    changedChecks: Object.keys(current).filter((id) => Object.hasOwn(old, id) && old[id] !== current[id]),
    retiredChecks: Object.keys(old).filter((id) => !Object.hasOwn(current, id)),
  };
}

function causeOf(
  check: string,
  before: CheckVerdict | undefined,
  { newChecks, changedChecks }: Changes['kit'],
): Changes['newFailures'][number]['by'] {
  if (newChecks.includes(check) || changedChecks.includes(check)) return 'kit';
  return before === undefined ? 'first-judged' : 'server';
}

/** The start of the first run of the series of failures. Runs that did not judge the check do not end the series. */
function redSince(earlier: readonly Night[], now: Night, id: string): string {
  let since = now;
  for (const each of earlier.toReversed()) {
    const verdict = each.checks[id];
    if (!isJudged(verdict)) continue;
    if (!isRed({ verdict })) break;
    since = each;
  }
  return since.run.startedAt;
}

function flakiness(nights: readonly Night[], check: string): Changes['flaky'] {
  const judged = nights.filter(({ checks }) => isJudged(checks[check]));
  const changed = judged.filter((each, at) => {
    const previous = judged[at - 1];
    if (previous === undefined || !isSameSubject(previous, each, check)) return false;
    return isRed({ verdict: previous.checks[check] ?? 'pass' }) !== isRed({ verdict: each.checks[check] ?? 'pass' });
  });
  return changed.length < MIN_FLAKY_CHANGES ? [] : [{ check, changes: changed.length, runs: judged.length }];
}

/** Whether neither the kit nor the version of the server explains another verdict. */
function isSameSubject(one: Night, other: Night, check: string): boolean {
  const isSameKit = one.kit.version === other.kit.version && one.digests[check] === other.digests[check];
  return isSameKit && versionOf(one) === versionOf(other);
}

/** Compared with the last run that selected the check, so that a loss is said once. What a failure blocks is no loss of coverage. */
function lostChecks(earlier: readonly Night[], now: Night): Changes['lost'] {
  const consequences = new Set(now.consequences);
  return Object.entries(now.checks).flatMap(([check, verdict]) => {
    if (consequences.has(check)) return [];
    const before = earlier.findLast(({ checks }) => Object.hasOwn(checks, check))?.checks[check];
    return isJudged(before) && !isJudged(verdict) ? [{ check, before, now: verdict }] : [];
  });
}

/** A list is what a run has seen, in any order and of any length: each item counts. */
function partsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** A value that any recent run has seen is no drift: some servers show several. */
function drift(recent: readonly Night[], now: Night): Changes['drift'] {
  return [...groupBy(now.observations, ({ id }) => id)].flatMap(([id, seen]) => {
    const known = recent.flatMap(({ observations }) => observations.filter((each) => each.id === id));
    const before = distinct(known.flatMap(({ value }) => partsOf(value)));
    const unseen = [...distinct(seen.flatMap(({ value }) => partsOf(value)))].filter(([text]) => !before.has(text));
    if (known.length === 0 || unseen.length === 0) return [];
    return [{ id, before: [...before.values()], now: unseen.map(([, value]) => value) }] as Changes['drift'];
  });
}

/** By its JSON text, each value once. */
function distinct(values: readonly unknown[]): Map<string, unknown> {
  return new Map(values.map((value) => [JSON.stringify(value), value]));
}
