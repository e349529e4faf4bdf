import { bodyMember } from '../../engine/model/messages.ts';
import { findActionPath, type InvoiceAction, type InvoiceState } from '../../specs/lifecycle.ts';
import { skipIfInsufficientFunds } from '../api/error-codes.ts';
import { invoiceIn, isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { addSpareInvoice, takeApprovedInvoice } from '../fixtures/spare-invoices.ts';
import { performAction } from '../invoices/acting-party.ts';
import { exclusively } from '../invoices/exclusively.ts';
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
export async function probeActionEffect(lab: CheckContext, action: InvoiceAction): Promise<ActionEffect> {
  return await lab.run.memoize(`alone: ${action}`, () => probeExclusively(lab, action));
}

/** An invoice that was moved before the action was asked for may have been moved by what another check did: now nobody else does anything. */
async function probeExclusively(lab: CheckContext, action: InvoiceAction): Promise<ActionEffect> {
  try {
    return await probeOnce(lab, action);
  } catch (error) {
    if (!(error instanceof InvoiceStateChanged)) throw error;
    return await exclusively(lab, () => probeOnce(lab, action));
  }
}

const EFFECT_PROBES = 6;

/**
 * Throws NotApplicable unless an action always shows at once. One look can come too late to see that it does not, on a busy
 * machine or a long way off: so several of them, while the kit does nothing else.
 */
export async function skipUnlessImmediate(lab: CheckContext, action: InvoiceAction): Promise<void> {
  const shows = await lab.run.memoize(`always at once: ${action}`, () =>
    exclusively(lab, () => probeEffectTiming(lab, action)),
  );
  if (shows === 'later') notApplicable(`an accepted ${action} takes a while to take effect here`);
  if (shows === 'untold') {
    const late = `a look at it takes longer than ${MAX_IMMEDIATE_MS} ms`;
    notApplicable(`whether an accepted ${action} takes effect at once is not told by its answer, and ${late}`);
  }
}

async function probeEffectTiming(lab: CheckContext, action: InvoiceAction): Promise<ActionEffect['timing']> {
  let sure: ActionEffect['timing'] = 'untold';
  for (let sounding = 0; sounding < EFFECT_PROBES; sounding += 1) {
    const { timing: shows } = await probeOnce(lab, action);
    if (shows === 'later') return 'later';
    if (shows === 'at once') sure = 'at once';
  }
  return sure;
}

async function probeOnce(lab: CheckContext, action: InvoiceAction): Promise<ActionEffect> {
  const state = stateOffering(action);
  const invoice = await (action === 'settle' ? probeApprovedInvoice(lab) : createInvoiceInState(lab, state));
  // What is not to be seen yet would pass for gone.
  await findSettledInvoice(lab, invoice);
  const answer = await performAction(lab, action, invoice.id);
  skipIfInsufficientFunds(answer);
  if (!isSuccess(answer)) await blockByRejectedOffer(lab, invoice.id, state, action, answer);
  // Where the look comes later than what was queued lands, only the answer itself can tell that it was.
  const told = invoiceIn(answer)?.status ?? bodyMember(answer, 'status');
  const first = isInvoiceState(told) ? told : (await findInvoice(lab, invoice.id)).record?.status;
  const inTime = isInvoiceState(told) || performance.now() - answer.sentAt <= MAX_IMMEDIATE_MS;
  // Nothing but a deletion is thought to take an invoice away, before it has stayed away for as long as anything may take.
  const { record, held } = await waitForOutcome(lab, invoice.id, action, told);
  if (!held && record) await blockIfEffectLate(lab, { id: invoice.id, from: state, response: answer });
  if (!record) lab.run.recordDeleted(invoice.id);
  else if (isInvoiceState(record.status)) recordInvoiceState(lab, { id: invoice.id, state: record.status });
  const to = record && isInvoiceState(record.status) ? record.status : null;
  // A resolution may have moved the amount.
  const moved = { ...invoice, state: to ?? state };
  if (to && action !== 'resolve') addSpareInvoice(lab, moved);
  return {
    to,
    invoice: moved,
    timing: answer.status === 202 || first === state ? 'later' : inTime ? 'at once' : 'untold',
  };
}

/** The invoice that the approval of another check left behind, where there is one. */
async function probeApprovedInvoice(lab: CheckContext): Promise<Invoice> {
  if (lab.target.operations.approve) await ifReachable(() => probeActionEffect(lab, 'approve'));
  return await takeApprovedInvoice(lab);
}

/** The invoice after the action. The state that the answer names settles which of several copies of the data is behind. */
async function waitForOutcome(
  lab: CheckContext,
  id: string,
  action: InvoiceAction,
  told: unknown,
): Promise<FoundInvoice & { held: boolean }> {
  const state = stateOffering(action);
  if (isInvoiceState(told) && told !== state) {
    const named = await waitForInvoice(lab, id, (found) => found?.status === told);
    if (named.held) return named;
  }
  const left = await waitForInvoice(lab, id, hasLeftState(state, action === 'delete'));
  const led = left.record?.status;
  // A resolution may lead back to where the dispute began, and a copy that is behind shows a state from before it, too.
  const couldBeBehind = left.held && isInvoiceState(led) && findActionPath(led, state) !== null;
  if (!couldBeBehind) return left;
  const last = await waitForInvoice(lab, id, () => false);
  return { ...last, held: hasLeftState(state)(last.record) };
}
