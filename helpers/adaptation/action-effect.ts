import { bodyMember } from '../../engine/model/messages.ts';
import { findActionPath, type InvoiceAction, type InvoiceState } from '../../specs/contract/lifecycle.ts';
import { invoiceIn, isSuccess, skipIfInsufficientFunds } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResultBy } from '../context/shared-result.ts';
import { addSpareInvoice, takeApprovedInvoice } from '../fixtures/spare-invoices.ts';
import { performOnNewInvoice } from '../invoices/action-on-new-invoice.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import {
  type FoundInvoice,
  findInvoice,
  findSettledInvoice,
  hasLeftState,
  waitForInvoice,
  waitUntilLeft,
} from '../invoices/find-invoice.ts';
import {
  createInvoiceInState,
  endWithRejectedOffer,
  type Invoice,
  InvoiceStateChanged,
  ifReachable,
  isInvoiceState,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';
import { blockIfEffectLate } from '../invoices/late-effect.ts';

/** The effect of an action when nothing else happens at the same time. */
export interface ActionEffect {
  /** The resulting state on this server; null when the invoice is gone. */
  to: InvoiceState | null;
  /** When the effect is visible: `queued` if the response is 202, `untold` if the read was too late to show it. */
  timing: 'at once' | 'later' | 'queued' | 'untold';
  /** The invoice of the action, in the resulting state. */
  invoice: Invoice;
}

/**
 * The maximum time, in milliseconds, from sending the action to the read that proves an immediate effect. A queue that
 * is faster than a later read looks the same as an immediate effect.
 */
const MAX_IMMEDIATE_MS = 40;

/** Performs an action once in the run, to learn its own effect. Throws Blocked when the server rejects it. */
export const probeActionEffect = sharedResultBy(
  (ctx, action: InvoiceAction): Promise<ActionEffect> => probeExclusively(ctx, action),
);

/**
 * Repeats the trial in an exclusive section if the invoice changed before the action, because another check may
 * have caused the change.
 */
async function probeExclusively(ctx: CheckContext, action: InvoiceAction): Promise<ActionEffect> {
  try {
    return await probeOnce(ctx, action);
  } catch (error) {
    if (!(error instanceof InvoiceStateChanged)) throw error;
    return await exclusively(ctx, (ctx) => probeOnce(ctx, action));
  }
}

const EFFECT_PROBES = 6;

/**
 * Throws NotApplicable unless an action always takes effect at once. Takes several samples in an exclusive section,
 * because a single read may be too late on a slow machine or connection.
 */
export async function skipUnlessImmediate(ctx: CheckContext, action: InvoiceAction): Promise<void> {
  const shows = await effectTiming(ctx, action);
  skipIfDelayed(action, shows);
  if (shows === 'untold') {
    const late = `reading the invoice takes longer than ${MAX_IMMEDIATE_MS} ms`;
    notApplicable(`the response does not show whether an accepted ${action} action takes effect at once, and ${late}`);
  }
}

/** Throws NotApplicable if an action takes effect later, or may do so. */
export function skipIfDelayed(action: InvoiceAction, timing: ActionEffect['timing']): void {
  if (timing === 'queued')
    notApplicable(`the server accepts the ${action} action with 202, so it may take effect later`);
  if (timing === 'later') notApplicable(`an accepted ${action} action does not take effect at once on this server`);
}

const effectTiming = sharedResultBy((ctx, action: InvoiceAction) =>
  exclusively(ctx, (ctx) => probeEffectTiming(ctx, action)),
);

async function probeEffectTiming(ctx: CheckContext, action: InvoiceAction): Promise<ActionEffect['timing']> {
  let sure: ActionEffect['timing'] = 'untold';
  for (let sounding = 0; sounding < EFFECT_PROBES; sounding += 1) {
    const { timing } = await probeOnce(ctx, action);
    if (timing === 'later' || timing === 'queued') return timing;
    if (timing === 'at once') sure = 'at once';
  }
  return sure;
}

async function probeOnce(ctx: CheckContext, action: InvoiceAction): Promise<ActionEffect> {
  const state = stateOffering(action);
  const { invoice, response } = await performOnNewInvoice(ctx, action, async (ctx) => {
    const made = await (action === 'settle' ? probeApprovedInvoice(ctx) : createInvoiceInState(ctx, state));
    // An invoice that is not visible yet would count as gone.
    await findSettledInvoice(ctx, made);
    return made;
  });
  skipIfInsufficientFunds(response);
  if (!isSuccess(response)) await endWithRejectedOffer(ctx, invoice.id, state, action, response);
  // Where the read is later than a queued effect, only the response can show that the effect was queued.
  const shown = invoiceIn(response)?.status ?? bodyMember(response, 'status');
  const first = isInvoiceState(shown) ? shown : (await findInvoice(ctx, invoice.id)).record?.status;
  const inTime = isInvoiceState(shown) || performance.now() - response.sentAt <= MAX_IMMEDIATE_MS;
  // Only a deletion removes an invoice at once; otherwise the invoice must be absent for the full time.
  const { record, isMet } = await waitForOutcome(ctx, invoice.id, action, shown);
  if (!isMet && record) await blockIfEffectLate(ctx, { id: invoice.id, from: state, response });
  if (!record) ctx.run.leftovers.recordDeleted(invoice.id);
  else if (isInvoiceState(record.status)) recordInvoiceState(ctx, { id: invoice.id, state: record.status });
  const to = record && isInvoiceState(record.status) ? record.status : null;
  // A resolution may have changed the amount.
  const moved = { ...invoice, state: to ?? state };
  if (to && action !== 'resolve') addSpareInvoice(ctx, moved);
  return {
    to,
    invoice: moved,
    timing: response.status === 202 ? 'queued' : first === state ? 'later' : inTime ? 'at once' : 'untold',
  };
}

/** The invoice that the approval trial left, if there is one. */
async function probeApprovedInvoice(ctx: CheckContext): Promise<Invoice> {
  if (ctx.target.operations.approve) await ifReachable(() => probeActionEffect(ctx, 'approve'));
  return await takeApprovedInvoice(ctx);
}

/** Waits for the invoice after the action. The state in the response identifies a stale read. */
async function waitForOutcome(
  ctx: CheckContext,
  id: string,
  action: InvoiceAction,
  shown: unknown,
): Promise<FoundInvoice & { isMet: boolean }> {
  const state = stateOffering(action);
  if (isInvoiceState(shown) && shown !== state) {
    const named = await findSettledInvoice(ctx, { id, state: shown });
    if (named.isMet) return named;
  }
  const left = await waitUntilLeft(ctx, id, { from: state, by: action, mayBeGone: action === 'delete' });
  const led = left.record?.status;
  // A resolution may lead back to the state before the dispute, and a stale read may also show an earlier state.
  const couldBeBehind = left.isMet && isInvoiceState(led) && findActionPath(led, state) !== null;
  if (!couldBeBehind) return left;
  const last = await waitForInvoice(ctx, id, () => false, ctx.target.limits.settleWithinMs);
  return { ...last, isMet: hasLeftState(state)(last.record) };
}
