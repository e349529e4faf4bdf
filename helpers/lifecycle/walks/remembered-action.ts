import { type InvoiceAction, type InvoiceState, lifecycle } from '../../../specs/contract/lifecycle.ts';
import type { ApiResponse } from '../../api/responses.ts';
import { type AcceptedAction, assumedStatesOf, type Finding, type WalkInvoice } from './walk-invoice.ts';

/** The earlier rejected action whose result the invoice shows instead of that of the accepted one. */
export function rememberedAction(
  { rejected }: WalkInvoice,
  now: unknown,
  to: InvoiceState | null,
): InvoiceAction | null {
  if (now === to || now === null) return null;
  return [...rejected].find((action) => lifecycle.leadsTo[action] === now) ?? null;
}

export function rememberedFinding(
  walker: WalkInvoice,
  {
    accepted,
    from,
    to,
    remembered,
    response,
  }: {
    accepted: AcceptedAction;
    from: InvoiceState;
    to: InvoiceState | null;
    remembered: InvoiceAction;
    response: ApiResponse;
  },
): Finding {
  const { action } = accepted;
  const now = String(lifecycle.leadsTo[remembered]);
  const because = `the server accepted the ${action} action on ${walker.name} in ${from}, but the invoice is ${now}, the result of the ${remembered} action, which the server rejected earlier`;
  const expected = `${walker.name} ${to ?? 'gone'} after the ${action} action, and the rejected ${remembered} action not carried out`;
  return {
    kind: 'trace',
    response,
    expected,
    because,
    // The new state, too, may change spontaneously before the read.
    assumedStates: [from, to].flatMap((state) => assumedStatesOf({ ...walker, state })),
    control: { actions: [...walker.accepted, accepted], to },
  };
}
