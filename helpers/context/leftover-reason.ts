import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';

const LEFTOVER_REASONS: Record<InvoiceState, string | null> = {
  DRAFT: 'not deleted',
  SUBMITTED: 'not cancelled',
  DISPUTED: 'not resolved and cancelled',
  APPROVED: 'no action removes an invoice in this state',
  SETTLED: 'no action removes an invoice in this state',
  // Voided: nobody waits for it, and no action is left that could remove it.
  CANCELLED: null,
};

/** Why an invoice that the kit has made stays behind in this state; null where it counts as removed. */
export function leftoverReason(state: InvoiceState): string | null {
  return LEFTOVER_REASONS[state];
}

/** The actions after which nothing removes an invoice any more, in the order of its way. */
export const IRREVERSIBLE_ACTIONS = ['approve', 'settle'] as const satisfies readonly InvoiceAction[];

export function isIrreversible(action: InvoiceAction): action is (typeof IRREVERSIBLE_ACTIONS)[number] {
  return IRREVERSIBLE_ACTIONS.some((each) => each === action);
}

/** Before the id and the kind of what the kit has made in production, in the list of what it leaves behind. */
export const PRODUCTION_PREFIX = 'production ';
