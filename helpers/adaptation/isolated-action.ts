import { bodyMember } from '../../engine/model/messages.ts';
import { type InvoiceAction, type InvoiceState, wayTo } from '../../specs/lifecycle.ts';
import { expectFunds } from '../api/error-codes.ts';
import { invoiceIn, isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { leaveOver, toBeSettled } from '../fixtures/spare-invoices.ts';
import { perform } from '../invoices/acting-party.ts';
import { actingQuietly } from '../invoices/exclusively.ts';
import { hasLeft, look, lookSettled, lookUntil, type Sight } from '../invoices/find-invoice.ts';
import {
  type Invoice,
  isState,
  keepTrack,
  MovedMeanwhile,
  reach,
  refusedWhereOffered,
  stateOffering,
  whereReachable,
} from '../invoices/invoices.ts';
import { expectNotLate } from '../invoices/late-effect.ts';

/** What comes of an action when nothing else happens at the same time. */
export interface Alone {
  /** The state it leads to here; null when the invoice is gone. */
  to: InvoiceState | null;
  /** Whether it is done when it is answered; `untold` where the look at it came too late to say. */
  shows: 'at once' | 'later' | 'untold';
  /** The invoice that was acted on, in the state that the action led to. */
  invoice: Invoice;
}

/**
 * What an answer leaves open, a look shows; from the moment the action was sent, in milliseconds, it has this long. What a
 * queue does with it in more time than that cannot be told from what is done at once.
 */
const AT_ONCE_MS = 40;

/** Performs an action once in the run, to learn what it does on its own. Throws Blocked when it is refused even then. */
export async function alone(lab: Lab, action: InvoiceAction): Promise<Alone> {
  return await lab.run.once(`alone: ${action}`, () => undisturbed(lab, action));
}

/** An invoice that was moved before the action was asked for may have been moved by what another check did: now nobody else does anything. */
async function undisturbed(lab: Lab, action: InvoiceAction): Promise<Alone> {
  try {
    return await once(lab, action);
  } catch (error) {
    if (!(error instanceof MovedMeanwhile)) throw error;
    return await actingQuietly(lab, () => once(lab, action));
  }
}

const SOUNDINGS = 6;

/**
 * Throws NotApplicable unless an action always shows at once. One look can come too late to see that it does not, on a busy
 * machine or a long way off: so several of them, while the kit does nothing else.
 */
export async function expectAlwaysAtOnce(lab: Lab, action: InvoiceAction): Promise<void> {
  const shows = await lab.run.once(`always at once: ${action}`, () => actingQuietly(lab, () => soundings(lab, action)));
  if (shows === 'later') notApplicable(`an accepted ${action} takes a while to take effect here`);
  if (shows === 'untold') {
    const late = `a look at it takes longer than ${AT_ONCE_MS} ms`;
    notApplicable(`whether an accepted ${action} takes effect at once is not told by its answer, and ${late}`);
  }
}

async function soundings(lab: Lab, action: InvoiceAction): Promise<Alone['shows']> {
  let sure: Alone['shows'] = 'untold';
  for (let sounding = 0; sounding < SOUNDINGS; sounding += 1) {
    const { shows } = await once(lab, action);
    if (shows === 'later') return 'later';
    if (shows === 'at once') sure = 'at once';
  }
  return sure;
}

async function once(lab: Lab, action: InvoiceAction): Promise<Alone> {
  const state = stateOffering(action);
  const invoice = await (action === 'settle' ? approvedAlone(lab) : reach(lab, state));
  // What is not to be seen yet would pass for gone.
  await lookSettled(lab, invoice);
  const answer = await perform(lab, action, invoice.id);
  expectFunds(answer);
  if (!isSuccess(answer)) await refusedWhereOffered(lab, invoice.id, state, action, answer);
  // Where the look comes later than what was queued lands, only the answer itself can tell that it was.
  const told = invoiceIn(answer)?.status ?? bodyMember(answer, 'status');
  const first = isState(told) ? told : (await look(lab, invoice.id)).record?.status;
  const inTime = isState(told) || performance.now() - answer.sentAt <= AT_ONCE_MS;
  // Nothing but a deletion is thought to take an invoice away, before it has stayed away for as long as anything may take.
  const { record, held } = await outcome(lab, invoice.id, action, told);
  if (!held && record) await expectNotLate(lab, { id: invoice.id, from: state, answer });
  if (!record) lab.run.removed(invoice.id);
  else if (isState(record.status)) keepTrack(lab, { id: invoice.id, state: record.status });
  const to = record && isState(record.status) ? record.status : null;
  // A resolution may have moved the amount.
  const moved = { ...invoice, state: to ?? state };
  if (to && action !== 'resolve') leaveOver(lab, moved);
  return {
    to,
    invoice: moved,
    shows: answer.status === 202 || first === state ? 'later' : inTime ? 'at once' : 'untold',
  };
}

/** The invoice that the approval of another check left behind, where there is one. */
async function approvedAlone(lab: Lab): Promise<Invoice> {
  if (lab.target.operations.approve) await whereReachable(() => alone(lab, 'approve'));
  return await toBeSettled(lab);
}

/** The invoice after the action. The state that the answer names settles which of several copies of the data is behind. */
async function outcome(lab: Lab, id: string, action: InvoiceAction, told: unknown): Promise<Sight & { held: boolean }> {
  const state = stateOffering(action);
  if (isState(told) && told !== state) {
    const named = await lookUntil(lab, id, (found) => found?.status === told);
    if (named.held) return named;
  }
  const left = await lookUntil(lab, id, hasLeft(state, action === 'delete'));
  const led = left.record?.status;
  // A resolution may lead back to where the dispute began, and a copy that is behind shows a state from before it, too.
  const couldBeBehind = left.held && isState(led) && wayTo(led, state) !== null;
  if (!couldBeBehind) return left;
  const last = await lookUntil(lab, id, () => false);
  return { ...last, held: hasLeft(state)(last.record) };
}
