import type { RunContext } from '../../engine/run/run-context.ts';

type LeftoverEntries = ReturnType<RunContext['leftovers']>;

/** What a clean-up has found and done. */
export interface CleanupOutcome {
  dryRun: boolean;
  /** What was there, and what of it is left; a cancelled invoice has no reason to be removed. */
  before: LeftoverEntries;
  after: LeftoverEntries;
  /** Whether the server shows descriptions, by which invoices are recognised. */
  hasDescriptions: boolean;
  /** Whether the operations are bound by which subscriptions are found and removed. */
  canFindSubscriptions: boolean;
}

interface Row {
  outcome: 'removed' | 'would be removed' | 'stays';
  what: string;
  why: string;
  isRefused: boolean;
}

/** Whether something stays because an operation that would have removed it did not work. */
export function isIncomplete({ after }: Pick<CleanupOutcome, 'after'>): boolean {
  return after.some(([, { isRemovalRejected }]) => isRemovalRejected);
}

/** One line for each kind of thing, with what has become of it; then each thing that would be removed, or could not be. */
export function formatCleanup({
  dryRun,
  before,
  after,
  hasDescriptions,
  canFindSubscriptions,
}: CleanupOutcome): string[] {
  const left = new Map(after);
  const open = before.filter(([, { reason }]) => reason !== null);
  const rows = open.map(([id, { what }]): Row & { id: string } => {
    const { reason = null, isRemovalRejected = false } = left.get(id) ?? {};
    if (dryRun) {
      const stays = /SETTLED|APPROVED/.test(what);
      return {
        id,
        what,
        outcome: stays ? 'stays' : 'would be removed',
        why: stays ? String(reason) : '',
        isRefused: isRemovalRejected,
      };
    }
    return {
      id,
      what,
      outcome: reason === null ? 'removed' : 'stays',
      why: reason ?? '',
      isRefused: isRemovalRejected,
    };
  });
  return [
    ...(rows.length === 0 ? ['nothing of earlier runs is left that could be removed'] : outcomeTable(rows)),
    ...rows
      .filter(({ outcome, isRefused }) => isRefused || outcome === 'would be removed')
      .map(({ what, id }) => `  ${what} ${id}`),
    ...(hasDescriptions ? [] : ['no invoice shows a description: those of earlier runs cannot be recognised']),
    ...(canFindSubscriptions
      ? []
      : ['webhook subscriptions are not looked for: bind operations.webhookList and operations.webhookDelete']),
  ];
}

function outcomeTable(rows: readonly Row[]): string[] {
  const counts = new Map<string, Row & { count: number }>();
  for (const row of rows) {
    const key = `${row.outcome} ${row.what} ${row.why}`;
    counts.set(key, { ...row, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const lines = [...counts.values()].sort((one, other) => one.outcome.localeCompare(other.outcome));
  const width = (text: (row: Row) => string) => Math.max(...lines.map((line) => text(line).length));
  const [outcomes, kinds] = [width(({ outcome }) => outcome), width(({ what }) => what)];
  return lines.map(({ outcome, what, why, count }) =>
    `${outcome.padEnd(outcomes)}  ${String(count).padStart(5)} × ${what.padEnd(kinds)}  ${why}`.trimEnd(),
  );
}
