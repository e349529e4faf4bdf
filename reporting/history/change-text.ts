import type { Changes } from '../../specs/changes.ts';
import { formatDuration, formatTime, joinNames, pluralize } from '../text/wording.ts';
import { isKitChanged } from './compare-nights.ts';

/** What changed, in one line for a pager: `since 2026-11-26 02:00:00 UTC: 1 new failure (LIFE-02.approved-cancel) · 1 fixed (AUTH-01.missing)`. */
export function changeLine(changes: Changes): string {
  if (changes.from === null) return 'the first run of this history';
  const parts = [...verdictParts(changes), ...stillFailingPart(changes), ...otherParts(changes)];
  return `since ${formatTime(changes.from.startedAt)}: ${parts.length === 0 ? 'no change' : parts.join(' · ')}`;
}

/** What is different from the run before, in one line, without the failures that go on; empty if nothing is. */
export function differenceLine(changes: Changes): string {
  return [...verdictParts(changes), ...otherParts(changes)].join(' · ');
}

/** A flaky check is named again when its verdict changes again. */
function verdictParts({ newFailures, fixed, flaky }: Changes): string[] {
  const changed = new Set([...idsOf(newFailures), ...fixed]);
  const flakyNow = idsOf(flaky).filter((id) => changed.has(id));
  return [
    ...listed(pluralize(newFailures.length, 'new failure'), idsOf(newFailures)),
    ...listed(`${fixed.length} fixed`, fixed),
    ...listed(`${flakyNow.length} flaky`, flakyNow),
  ];
}

function stillFailingPart({ stillFailing }: Changes): string[] {
  const [oldest] = stillFailing.map(({ since }) => since).sort();
  return oldest === undefined ? [] : [`${stillFailing.length} still failing, the oldest since ${formatTime(oldest)}`];
}

function otherParts({ kit, server, lost, drift, latency }: Changes): string[] {
  return [
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

function listed(count: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${count} (${joinNames(ids)})`];
}

function idsOf(all: readonly { readonly check: string }[]): string[] {
  return all.map(({ check }) => check);
}

function latencyParts(latency: Changes['latency']): string[] {
  const partsOf = (direction: 'slower' | 'faster') => {
    const found = latency.filter(({ usualMs, nowMs }) => nowMs > usualMs === (direction === 'slower'));
    const texts = found.map(
      ({ operation, quantile, usualMs, nowMs }) =>
        `${operation}: ${quantile} ${formatDuration(usualMs)} to ${formatDuration(nowMs)}`,
    );
    return listed(`${pluralize(found.length, 'operation')} ${direction}`, texts);
  };
  return [...partsOf('slower'), ...partsOf('faster')];
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

/** Changes of one kind. */
export interface ChangeGroup {
  /** In front of each line of a text. */
  readonly label: string;
  /** Heading of the group on a page. */
  readonly title: string;
  /** `subject`: a check, an operation, a name of the catalogue. `text` goes on after it. */
  readonly items: readonly { readonly subject: string; readonly text: string }[];
}

/** Every change, by kind, the most urgent first. Kinds without a change are left out. */
export function changeGroups(changes: Changes): ChangeGroup[] {
  const { newFailures, fixed, stillFailing, flaky, lost, drift, latency, server, kit } = changes;
  const values = (all: readonly unknown[]) => all.map((value) => JSON.stringify(value)).join(' and ');
  const beforeAndNow = (before: string, now: string) => `: ${before} before, ${now} now`;
  const named = (checks: readonly string[], text = '') => checks.map((subject) => ({ subject, text }));
  const groups: ChangeGroup[] = [
    {
      label: 'new failure',
      title: 'New failures',
      items: newFailures.map(({ check, by }) => ({ subject: check, text: REASONS[by] })),
    },
    { label: 'fixed', title: 'Fixed', items: named(fixed) },
    {
      label: 'still fails',
      title: 'Still failing',
      items: stillFailing.map(({ check, since }) => ({ subject: check, text: `, since ${formatTime(since)}` })),
    },
    {
      label: 'flaky',
      title: 'Flaky',
      items: flaky.map(({ check, changes: count, runs }) => ({
        subject: check,
        text: `: ${pluralize(count, 'change')} of the verdict in ${pluralize(runs, 'run')}`,
      })),
    },
    {
      label: 'not judged',
      title: 'No longer judged',
      items: lost.map(({ check, before, now }) => ({ subject: check, text: beforeAndNow(before, now) })),
    },
    {
      label: 'behaviour',
      title: 'Unspecified behaviour',
      items: drift.map(({ id, before, now }) => ({ subject: id, text: beforeAndNow(values(before), values(now)) })),
    },
    {
      label: 'latency',
      title: 'Latency',
      items: latency.map(({ operation, quantile, usualMs, nowMs }) => ({
        subject: operation,
        text: `, ${quantile}${beforeAndNow(`${usualMs} ms`, `${nowMs} ms`)}`,
      })),
    },
    {
      label: 'server',
      title: 'Server',
      items:
        server.before === server.now
          ? []
          : [{ subject: 'version', text: beforeAndNow(server.before ?? 'none', server.now ?? 'none') }],
    },
    {
      label: 'kit',
      title: 'Kit',
      items: [
        ...(kit.before === kit.now ? [] : [{ subject: 'version', text: beforeAndNow(kit.before, kit.now) }]),
        ...named(kit.newChecks, ', a new check'),
        ...named(kit.changedChecks, ', whose text changed'),
        ...named(kit.retiredChecks, ', a retired check'),
      ],
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** Every change, one line each. */
export function changeDetails(changes: Changes): string[] {
  return changeGroups(changes).flatMap(({ label, items }) =>
    items.map(({ subject, text }) => `${label.padEnd(13)}${subject}${text}`),
  );
}

const REASONS: Record<Changes['newFailures'][number]['by'], string> = {
  server: '',
  kit: ' (the check is new or has changed)',
  'first-judged': ' (judged for the first time)',
};
