import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { Report } from '../../specs/formats/report.ts';
import { groupBy } from '../text/group-by.ts';
import { formatCounts } from '../text/wording.ts';

type Leftover = Report['leftovers'][number];

/** Leftovers in two groups: `permanent` ones, which the contract offers no action to remove, and `removable` ones. */
export function splitLeftovers({
  leftovers,
}: Pick<Report, 'leftovers'>): Record<'permanent' | 'removable', Leftover[]> {
  return {
    permanent: leftovers.filter(isPermanent),
    removable: leftovers.filter((leftover) => !isPermanent(leftover)),
  };
}

/** `24 SETTLED invoices and 8 withdrawals`. */
export function countLeftovers(leftovers: readonly Leftover[]): string {
  const kinds = groupBy(leftovers, ({ what }) => what);
  return formatCounts([...kinds].map(([what, all]) => ({ what, count: all.length })));
}

/** The actions of a state after which the kit can remove an invoice. */
const REMOVING_ACTIONS: ReadonlySet<InvoiceAction> = new Set(['delete', 'cancel', 'resolve']);

/** A withdrawal, an invoice in a state whose actions do not remove it, or an item for whose removal the target file has no operation. */
function isPermanent({ what, reason }: Leftover): boolean {
  if (what.endsWith('withdrawal') || reason.includes('operations.')) return true;
  const state = lifecycle.states.find((each) => what.endsWith(`invoice ${each}`));
  return state !== undefined && !lifecycle.offered[state].some((action) => REMOVING_ACTIONS.has(action));
}
