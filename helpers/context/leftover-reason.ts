import type { InvoiceAction, InvoiceState } from '../../specs/contract/lifecycle.ts';

const LEFTOVER_REASONS: Record<InvoiceState, string | null> = {
  DRAFT: 'not deleted',
  SUBMITTED: 'not cancelled',
  DISPUTED: 'not resolved and then cancelled',
  APPROVED: 'no action removes an invoice in this state',
  SETTLED: 'no action removes an invoice in this state',
  // A cancelled invoice is void, and no action could remove it.
  CANCELLED: null,
};

/** Why an invoice of the kit is a leftover in this state; null if it counts as removed. */
export function leftoverReason(state: InvoiceState): string | null {
  return LEFTOVER_REASONS[state];
}

/** The actions after which no action removes an invoice, in lifecycle order. */
export const IRREVERSIBLE_ACTIONS = ['approve', 'settle'] as const satisfies readonly InvoiceAction[];

export function isIrreversible(action: InvoiceAction): action is (typeof IRREVERSIBLE_ACTIONS)[number] {
  return IRREVERSIBLE_ACTIONS.some((each) => each === action);
}

/** The prefix for the id and type of a production leftover. */
export const PRODUCTION_PREFIX = 'production ';
