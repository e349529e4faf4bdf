import type { Changes } from '../../specs/changes.ts';
import { formatDuration, formatTime, joinNames, pluralize } from '../text/wording.ts';
import { isKitChanged } from './compare-nights.ts';

/** What changed, in one line for a pager: `since 2026-11-26 02:00:00 UTC: 1 new failure (LIFE-02.approved-cancel) · 1 fixed (AUTH-01.missing)`. */
export function changeLine(changes: Changes): string {
  if (changes.from === null) return 'the first run of this history';
  const parts = changeParts(changes);
  return `since ${formatTime(changes.from.startedAt)}: ${parts.length === 0 ? 'no change' : parts.join(' · ')}`;
}

function changeParts({
  kit,
  server,
  newFailures,
  fixed,
  stillFailing,
  flaky,
  lost,
  drift,
  latency,
}: Changes): string[] {
  const listed = (count: string, ids: readonly string[]) => (ids.length === 0 ? [] : [`${count} (${joinNames(ids)})`]);
  const idsOf = (all: readonly { check: string }[]) => all.map(({ check }) => check);
  const [oldest] = stillFailing.map(({ since }) => since).sort();
  return [
    ...listed(pluralize(newFailures.length, 'new failure'), idsOf(newFailures)),
    ...listed(`${fixed.length} fixed`, fixed),
    ...(oldest === undefined ? [] : [`${stillFailing.length} still failing, the oldest since ${formatTime(oldest)}`]),
    ...listed(`${flaky.length} flaky`, idsOf(flaky)),
    ...listed(`${pluralize(lost.length, 'check')} no longer judged`, idsOf(lost)),
    ...listed(
      `${pluralize(drift.length, 'unspecified behaviour')} changed`,
      drift.map(({ id }) => id),
    ),
    ...latencyParts(latency),
    ...(server.before === server.now
      ? []
      : [`server changed (${server.before ?? 'no version'} to ${server.now ?? 'no version'})`]),
    ...(isKitChanged(kit) ? [kitPart(kit)] : []),
  ];
}

/** One part for each operation: the median says more than the 95th percentile. */
function latencyParts(latency: Changes['latency']): string[] {
  return latency
    .filter(
      ({ operation, quantile }) =>
        quantile === 'median' || !latency.some((each) => each.operation === operation && each.quantile === 'median'),
    )
    .map(({ operation, quantile, usualMs, nowMs }) => {
      const direction = nowMs > usualMs ? 'slower' : 'faster';
      return `${operation} ${direction} (${quantile} ${formatDuration(usualMs)} to ${formatDuration(nowMs)})`;
    });
}

function kitPart({ before, now, newChecks, changedChecks, retiredChecks }: Changes['kit']): string {
  const counts = [
    ...(before === now ? [] : [`${before} to ${now}`]),
    ...(newChecks.length === 0 ? [] : [pluralize(newChecks.length, 'new check')]),
    ...(changedChecks.length === 0 ? [] : [pluralize(changedChecks.length, 'changed check')]),
    ...(retiredChecks.length === 0 ? [] : [pluralize(retiredChecks.length, 'retired check')]),
  ];
  return `kit changed (${counts.join(', ')})`;
}

/** Every change, one line each, for a person. */
export function changeDetails({ newFailures, fixed, stillFailing, lost, drift, latency, kit }: Changes): string[] {
  const values = (all: readonly unknown[]) => all.map((value) => JSON.stringify(value)).join(' and ');
  return [
    ...newFailures.map(({ check, by }) => `new failure  ${check}${REASONS[by]}`),
    ...fixed.map((check) => `fixed        ${check}`),
    ...stillFailing.map(({ check, since }) => `still fails  ${check}, since ${formatTime(since)}`),
    ...lost.map(({ check, before, now }) => `not judged   ${check}: ${before} before, ${now} now`),
    ...drift.map(({ id, before, now }) => `behaviour    ${id}: ${values(before)} before, ${values(now)} now`),
    ...latency.map(
      ({ operation, quantile, usualMs, nowMs }) =>
        `latency      ${operation}, ${quantile}: ${usualMs} ms before, ${nowMs} ms now`,
    ),
    ...kit.newChecks.map((check) => `new check    ${check}`),
    ...kit.changedChecks.map((check) => `changed      ${check}, the text of the check`),
    ...kit.retiredChecks.map((check) => `retired      ${check}`),
  ];
}

const REASONS: Record<Changes['newFailures'][number]['by'], string> = {
  server: '',
  kit: ' (the check is new or has changed)',
  'first-judged': ' (judged for the first time)',
};
