import type { Leftover } from '../../engine/ledger/leftovers.ts';

type LeftoverEntries = [id: string, Leftover][];

/** The result of `conformance cleanup`. */
export interface CleanupOutcome {
  dryRun: boolean;
  /** Leftovers before and after the clean-up. A cancelled invoice needs no removal and has the reason null. */
  before: LeftoverEntries;
  after: LeftoverEntries;
  /** Whether the server shows descriptions; the kit recognises its invoices by them. */
  hasDescriptions: boolean;
  /** Whether the operations are bound that find and remove subscriptions. */
  canFindSubscriptions: boolean;
}

interface Row {
  outcome: 'removed' | 'would be removed' | 'stays';
  what: string;
  why: string;
  isRejected: boolean;
}

/** Whether an item remains because the server rejected its removal. */
export function isIncomplete({ after }: Pick<CleanupOutcome, 'after'>): boolean {
  return after.some(([, { isRemovalRejected }]) => isRemovalRejected);
}

/** One line for each kind of item and outcome; then one for each item that would be removed, or whose removal was rejected. */
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
        isRejected: isRemovalRejected,
      };
    }
    return {
      id,
      what,
      outcome: reason === null ? 'removed' : 'stays',
      why: reason ?? '',
      isRejected: isRemovalRejected,
    };
  });
  return [
    ...(rows.length === 0 ? ['no leftovers of earlier runs that can be removed'] : outcomeTable(rows)),
    ...rows
      .filter(({ outcome, isRejected }) => isRejected || outcome === 'would be removed')
      .map(({ what, id }) => `  ${what} ${id}`),
    ...(hasDescriptions ? [] : ['no invoice shows a description, so invoices of earlier runs cannot be recognised']),
    ...(canFindSubscriptions
      ? []
      : ['webhook subscriptions were not searched: bind operations.webhookList and operations.webhookDelete']),
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
