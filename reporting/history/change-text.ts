import type { Changes } from '../../specs/formats/changes.ts';
import { escapeToSingleLine, truncate } from '../text/escape-control-characters.ts';
import { formatDuration, formatTime, joinNames, pluralize } from '../text/wording.ts';
import { isKitChanged } from './compare-nights.ts';

/** What changed, in one line for a pager: `since 2026-11-26 02:00:00 UTC: 1 new failure (LIFE-02.approved-cancel) · 1 fixed (AUTH-01.missing)`. */
export function changeLine(changes: Changes): string {
  const undecided = undecidedPart(changes);
  if (changes.from === null) return ['the first run of this history', ...undecided].join(': ');
  const parts = [...undecided, ...verdictParts(changes), ...stillFailingPart(changes), ...otherParts(changes)];
  return `since ${formatTime(changes.from.startedAt)}: ${parts.length === 0 ? 'no change' : parts.join(' · ')}`;
}

/** What is different from the run before, in one line, without the failures that go on; empty if nothing is. */
export function differenceLine(changes: Changes): string {
  return [...undecidedPart(changes), ...verdictParts(changes), ...otherParts(changes)].join(' · ');
}

const MAX_REASON_LENGTH = 160;

function undecidedPart({ undecided }: Changes): string[] {
  if (undecided === null) return [];
  const { checks, reason } = undecided;
  const cause = truncate(escapeToSingleLine(reason), MAX_REASON_LENGTH);
  return [`${checks === 0 ? 'interrupted' : `${pluralize(checks, 'required check')} could not be judged`} (${cause})`];
}

/** A flaky check is named again when its verdict changes again. */
function verdictParts({ newFailures, fixed, flaky }: Changes): string[] {
  const changed = new Set([...idsOf(newFailures), ...fixed]);
  const flakyNow = idsOf(flaky).filter((id) => changed.has(id));
  return [
    ...redParts('new', newFailures),
    ...listed(`${fixed.length} fixed`, fixed),
    ...listed(`${flakyNow.length} flaky`, flakyNow),
  ];
}

/** `1 new failure (LIFE-02.approved-cancel)` and `2 new warnings (…)`. */
function redParts(adjective: string, red: Changes['newFailures']): string[] {
  const idsWith = (verdict: 'fail' | 'warn') => idsOf(red.filter((each) => each.verdict === verdict));
  const [failed, warned] = [idsWith('fail'), idsWith('warn')];
  return [
    ...listed(pluralize(failed.length, `${adjective} failure`), failed),
    ...listed(pluralize(warned.length, `${adjective} warning`), warned),
  ];
}

function stillFailingPart({ stillFailing }: Changes): string[] {
  const [oldest] = stillFailing.map(({ since }) => since).sort();
  if (oldest === undefined) return [];
  const warned = stillFailing.filter(({ verdict }) => verdict === 'warn').length;
  const failed = stillFailing.length - warned;
  const counts = [
    ...(failed === 0 ? [] : [`${failed} still failing`]),
    ...(warned === 0 ? [] : [`${warned} still with a warning`]),
  ];
  return [`${counts.join(' and ')} (first failure: ${formatTime(oldest)})`];
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

/** More values of an unspecified behaviour are not readable. */
const MAX_VALUES = 4;

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
  const { undecided, newFailures, fixed, stillFailing, flaky, lost, drift, latency, server, kit } = changes;
  const values = (all: readonly unknown[]) =>
    joinNames(
      all.map((value) => JSON.stringify(value)),
      MAX_VALUES,
    );
  const beforeAndNow = (before: string, now: string) => `: ${before} before, ${now} now`;
  const named = (checks: readonly string[], text = '') => checks.map((subject) => ({ subject, text }));
  const itemsOf = (verdict: 'fail' | 'warn') =>
    newFailures
      .filter((each) => each.verdict === verdict)
      .map(({ check, by }) => ({ subject: check, text: REASONS[by] }));
  const groups: ChangeGroup[] = [
    {
      label: 'undecided',
      title: 'Could not be judged',
      items:
        undecided === null
          ? []
          : [{ subject: pluralize(undecided.checks, 'required check'), text: `: ${undecided.reason}` }],
    },
    {
      label: 'new failure',
      title: 'New failures',
      items: itemsOf('fail'),
    },
    { label: 'new warning', title: 'New warnings', items: itemsOf('warn') },
    { label: 'fixed', title: 'Fixed', items: named(fixed) },
    {
      label: 'still fails',
      title: 'Still failing',
      items: stillFailing.map(({ check, verdict, since }) => ({
        subject: check,
        text: `${verdict === 'warn' ? ' (warning)' : ''}, since ${formatTime(since)}`,
      })),
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
      items: drift.map(({ id, before, now }) => ({
        subject: id,
        text: `: ${values(now)} now, before only ${values(before)}`,
      })),
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
