import { z } from 'zod';
import { readDataFile } from '../data.ts';

const state = z.enum(['DRAFT', 'SUBMITTED', 'APPROVED', 'DISPUTED', 'SETTLED', 'CANCELLED']);
const action = z.enum(['submit', 'delete', 'approve', 'dispute', 'cancel', 'settle', 'resolve']);
export type InvoiceState = z.infer<typeof state>;
export type InvoiceAction = z.infer<typeof action>;

const lifecycleTable = z.strictObject({
  states: z.array(state),
  actions: z.array(action),
  offered: z.record(state, z.array(action)),
  leadsTo: z.partialRecord(action, state),
});

/** The contract's table of states and actions. */
export const lifecycle = lifecycleTable.parse(readDataFile('contract/lifecycle'));

/** The shortest list of actions from one state to another; `null` if the table has no path. */
export function findActionPath(from: InvoiceState, to: InvoiceState): InvoiceAction[] | null {
  const ways = new Map<InvoiceState, InvoiceAction[]>([[from, []]]);
  for (const [at, way] of ways) {
    if (at === to) return way;
    for (const next of lifecycle.offered[at]) {
      const reached = lifecycle.leadsTo[next];
      if (reached && !ways.has(reached)) ways.set(reached, [...way, next]);
    }
  }
  return null;
}

/** The actions after which no action withdraws an invoice, in lifecycle order. */
export const IRREVERSIBLE_ACTIONS = ['approve', 'settle'] as const satisfies readonly InvoiceAction[];

export function isIrreversible(action: InvoiceAction): action is (typeof IRREVERSIBLE_ACTIONS)[number] {
  return IRREVERSIBLE_ACTIONS.some((each) => each === action);
}
