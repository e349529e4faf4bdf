import type { NoResponse } from '../../../engine/model/outcomes.ts';
import type { InvoiceAction, InvoiceState } from '../../../specs/contract/lifecycle.ts';
import type { ActorName } from '../../../specs/target-file/target.ts';
import type { ApiResponse } from '../../api/responses.ts';
import type { Invoice } from '../../invoices/invoices.ts';

/** One step of a walk. The action depends on the state of the invoice at that time. */
export interface Step {
  /** The index of the invoice. */
  invoice: number;
  /** True for one action that the state offers, false for all actions that it does not offer. */
  onwards: boolean;
  /** Selects the offered action, or the party that tries the others. */
  pick: number;
  /** Whether the other party tries the offered action first. */
  byOther?: boolean;
  /** Whether the submission of the invoice is replayed before the step. */
  replays?: boolean;
}

/**
 * A wrongly accepted or rejected action, no response instead of a rejection, a change after a rejection, or a change of an invoice that
 * no action named.
 */
export type FindingKind = 'accepted' | 'rejected' | 'unanswered' | 'trace' | 'other invoice';

/** A state, for how long in milliseconds it was assumed to last, and whether a resolution led there. */
export interface AssumedState {
  state: InvoiceState;
  ms: number;
  resolved: boolean;
}

/** The first deviation from the table in a walk. */
export interface Finding {
  kind: FindingKind;
  /** The deciding response, or the error if the request got none. */
  response: ApiResponse | NoResponse;
  expected: string;
  because: string;
  /** The states that were assumed to last. Empty if no spontaneous change can explain the finding. */
  assumedStates: readonly AssumedState[];
  /**
   * The accepted actions that should have led to a state. On an invoice without rejected actions, the same parties must lead it
   * there.
   */
  control?: { actions: readonly AcceptedAction[]; to: InvoiceState | null };
}

/** An accepted action and its caller: the result may depend on the party. */
export interface AcceptedAction {
  action: InvoiceAction;
  by: ActorName;
}

export const acceptedAction = (action: InvoiceAction, { request }: ApiResponse): AcceptedAction => ({
  action,
  by: request.actor ?? 'seller',
});

/** The last known state of an invoice; null when it is deleted. */
export interface WalkInvoice {
  id: string;
  name: string;
  made: Invoice;
  state: InvoiceState | null;
  /** When it was last read in this state, by `performance.now()`. */
  seenAtMs: number;
  resolved: boolean;
  accepted: AcceptedAction[];
  rejected: Set<InvoiceAction>;
  /** The requestId of its submission. */
  requestId?: string;
}

export function newWalkInvoice(made: Invoice, at: number, since: number): WalkInvoice {
  const { id, state } = made;
  return {
    id,
    state,
    made,
    seenAtMs: since,
    name: `invoice ${'ABC'[at]}`,
    resolved: false,
    accepted: [],
    rejected: new Set(),
  };
}

/** The state of the invoice since it was last read. */
export function assumedStatesOf({ state, seenAtMs, resolved }: WalkInvoice): AssumedState[] {
  return state ? [{ state, ms: performance.now() - seenAtMs, resolved }] : [];
}
