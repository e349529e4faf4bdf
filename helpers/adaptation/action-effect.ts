import { bodyMember } from '../../engine/model/messages.ts';
import { findActionPath, type InvoiceAction, type InvoiceState } from '../../specs/lifecycle.ts';
import { skipIfInsufficientFunds } from '../api/error-codes.ts';
import { invoiceIn, isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { addSpareInvoice, takeApprovedInvoice } from '../fixtures/spare-invoices.ts';
import { performAction } from '../invoices/acting-party.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import {
  type FoundInvoice,
  findInvoice,
  findSettledInvoice,
  hasLeftState,
  waitForInvoice,
} from '../invoices/find-invoice.ts';
import {
  blockByRejectedOffer,
  createInvoiceInState,
  type Invoice,
  InvoiceStateChanged,
  ifReachable,
  isInvoiceState,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';
import { blockIfEffectLate } from '../invoices/late-effect.ts';

/** What comes of an action when nothing else happens at the same time. */
export interface ActionEffect {
  /** The state it leads to here; null when the invoice is gone. */
  to: InvoiceState | null;
  /** Whether it is done when it is answered; `untold` where the look at it came too late to say. */
  timing: 'at once' | 'later' | 'untold';
  /** The invoice that was acted on, in the state that the action led to. */
  invoice: Invoice;
}

/**
 * What an answer leaves open, a look shows; from the moment the action was sent, in milliseconds, it has this long. What a
 * queue does with it in more time than that cannot be told from what is done at once.
 */
const MAX_IMMEDIATE_MS = 40;

/** Performs an action once in the run, to learn what it does on its own. Throws Blocked when it is refused even then. */
export async function probeActionEffect(ctx: CheckContext, action: InvoiceAction): Promise<ActionEffect> {
  return await ctx.run.memoize(`alone: ${action}`, () => probeExclusively(ctx, action));
}

/** An invoice that was moved before the action was asked for may have been moved by what another check did: now nobody else does anything. */
async function probeExclusively(ctx: CheckContext, action: InvoiceAction): Promise<ActionEffect> {
  try {
    return await probeOnce(ctx, action);
  } catch (error) {
    if (!(error instanceof InvoiceStateChanged)) throw error;
    return await exclusively(ctx, () => probeOnce(ctx, action));
  }
}

const EFFECT_PROBES = 6;

/**
 * Throws NotApplicable unless an action always shows at once. One look can come too late to see that it does not, on a busy
 * machine or a long way off: so several of them, while the kit does nothing else.
 */
export async function skipUnlessImmediate(ctx: CheckContext, action: InvoiceAction): Promise<void> {
  const shows = await ctx.run.memoize(`always at once: ${action}`, () =>
    exclusively(ctx, () => probeEffectTiming(ctx, action)),
  );
  if (shows === 'later') notApplicable(`an accepted ${action} takes a while to take effect here`);
  if (shows === 'untold') {
    const late = `a look at it takes longer than ${MAX_IMMEDIATE_MS} ms`;
    notApplicable(`whether an accepted ${action} takes effect at once is not told by its answer, and ${late}`);
  }
}

async function probeEffectTiming(ctx: CheckContext, action: InvoiceAction): Promise<ActionEffect['timing']> {
  let sure: ActionEffect['timing'] = 'untold';
  for (let sounding = 0; sounding < EFFECT_PROBES; sounding += 1) {
    const { timing } = await probeOnce(ctx, action);
    if (timing === 'later') return 'later';
    if (timing === 'at once') sure = 'at once';
  }
  return sure;
}

async function probeOnce(ctx: CheckContext, action: InvoiceAction): Promise<ActionEffect> {
  const state = stateOffering(action);
  const invoice = await (action === 'settle' ? probeApprovedInvoice(ctx) : createInvoiceInState(ctx, state));
  // What is not to be seen yet would pass for gone.
  await findSettledInvoice(ctx, invoice);
  const response = await performAction(ctx, action, invoice.id);
  skipIfInsufficientFunds(response);
  if (!isSuccess(response)) await blockByRejectedOffer(ctx, invoice.id, state, action, response);
  // Where the look comes later than what was queued lands, only the answer itself can tell that it was.
  const told = invoiceIn(response)?.status ?? bodyMember(response, 'status');
  const first = isInvoiceState(told) ? told : (await findInvoice(ctx, invoice.id)).record?.status;
  const inTime = isInvoiceState(told) || performance.now() - response.sentAt <= MAX_IMMEDIATE_MS;
  // Nothing but a deletion is thought to take an invoice away, before it has stayed away for as long as anything may take.
  const { record, held } = await waitForOutcome(ctx, invoice.id, action, told);
  if (!held && record) await blockIfEffectLate(ctx, { id: invoice.id, from: state, response: response });
  if (!record) ctx.run.recordDeleted(invoice.id);
  else if (isInvoiceState(record.status)) recordInvoiceState(ctx, { id: invoice.id, state: record.status });
  const to = record && isInvoiceState(record.status) ? record.status : null;
  // A resolution may have moved the amount.
  const moved = { ...invoice, state: to ?? state };
  if (to && action !== 'resolve') addSpareInvoice(ctx, moved);
  return {
    to,
    invoice: moved,
    timing: response.status === 202 || first === state ? 'later' : inTime ? 'at once' : 'untold',
  };
}

/** The invoice that the approval of another check left behind, where there is one. */
async function probeApprovedInvoice(ctx: CheckContext): Promise<Invoice> {
  if (ctx.target.operations.approve) await ifReachable(() => probeActionEffect(ctx, 'approve'));
  return await takeApprovedInvoice(ctx);
}

/** The invoice after the action. The state that the answer names settles which of several copies of the data is behind. */
async function waitForOutcome(
  ctx: CheckContext,
  id: string,
  action: InvoiceAction,
  told: unknown,
): Promise<FoundInvoice & { held: boolean }> {
  const state = stateOffering(action);
  if (isInvoiceState(told) && told !== state) {
    const named = await waitForInvoice(ctx, id, (found) => found?.status === told);
    if (named.held) return named;
  }
  const left = await waitForInvoice(ctx, id, hasLeftState(state, action === 'delete'));
  const led = left.record?.status;
  // A resolution may lead back to where the dispute began, and a copy that is behind shows a state from before it, too.
  const couldBeBehind = left.held && isInvoiceState(led) && findActionPath(led, state) !== null;
  if (!couldBeBehind) return left;
  const last = await waitForInvoice(ctx, id, () => false);
  return { ...last, held: hasLeftState(state)(last.record) };
}
