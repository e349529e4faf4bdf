import { setTimeout as pause } from 'node:timers/promises';
import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { Run } from '../../engine/run/run-context.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { isForFunds, isOwnRule } from '../api/error-codes.ts';
import { type ActExtra, act, binding } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';

/** The two organizations of an invoice. */
export type Party = 'seller' | 'buyer';

const USUAL: Record<InvoiceAction, Party> = {
  submit: 'seller',
  delete: 'seller',
  approve: 'buyer',
  dispute: 'buyer',
  cancel: 'seller',
  settle: 'buyer',
  resolve: 'seller',
};

/** Which party was seen to be let through, by run and action: the contract does not say who may do what. */
const learned = new WeakMap<Run, Map<InvoiceAction, Party>>();

/** The party to perform an action: the one seen to succeed, else the one the target file binds, else the usual one. */
export function partyFor(lab: Lab, action: InvoiceAction): Party {
  return learned.get(lab.run)?.get(action) ?? binding(lab, action).actor ?? USUAL[action];
}

/** The other party's credentials, where the target file has them. */
export function otherParty(lab: Lab, party: Party): Credentials | null {
  const other = party === 'seller' ? 'buyer' : 'seller';
  return lab.target.actors[other] ? lab.who(other) : null;
}

/** Refusals that may be about who asks instead of about the invoice. */
const MAYBE_ROLE = new Set([403, 404, 409, 412]);

/** How long to wait before each further try, in milliseconds: together longer than a lock on a record that is at work. */
const WAITS_MS = [250, 500, 1000];
/** Who waited so often for nothing waits no more. */
const MOST_IN_VAIN = 3;

/** What waiting has brought, by run and action. */
const waited = new WeakMap<Run, Map<InvoiceAction, { inVain: number; helped: boolean }>>();

/**
 * "409: cannot be done in the current state", a rule of the server's own, or 404 to a party whom what the other one did reaches a
 * while later: of each, unlike a want of funds, there may be an end soon.
 */
function mayPass(answer: ApiResponse): boolean {
  return answer.status === 409 || answer.status === 404 || (isOwnRule(answer) && !isForFunds(answer));
}

/** Asks again while the answer is one that may pass; the last answer that may not, otherwise the first one. */
export async function patiently(ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const first = await ask();
  if (!mayPass(first)) return first;
  for (const wait of WAITS_MS) {
    await pause(wait);
    const again = await ask();
    if (!mayPass(again)) return again;
  }
  return first;
}

/**
 * Performs an action as the party that may. Where the first one is refused the way a wrong party may be, the other one
 * tries; the answer is the one that was accepted, otherwise the first one's. What may pass (a lock, a cooling time) is waited for.
 */
export async function perform(lab: Lab, action: InvoiceAction, id: string, extra: ActExtra = {}): Promise<ApiResponse> {
  const first = await performOnce(lab, action, id, extra);
  if (!mayPass(first)) return first;
  const actions = waited.get(lab.run) ?? new Map<InvoiceAction, { inVain: number; helped: boolean }>();
  const so = actions.get(action) ?? { inVain: 0, helped: false };
  waited.set(lab.run, actions.set(action, so));
  if (!so.helped && so.inVain >= MOST_IN_VAIN) return first;
  for (const wait of WAITS_MS) {
    await pause(wait);
    const again = await performOnce(lab, action, id, extra);
    if (mayPass(again)) continue;
    so.helped ||= isSuccess(again);
    return again;
  }
  so.inVain += 1;
  return first;
}

async function performOnce(lab: Lab, action: InvoiceAction, id: string, extra: ActExtra): Promise<ApiResponse> {
  const party = partyFor(lab, action);
  const first = await act(lab, action, id, { ...extra, as: lab.who(party) });
  const other = MAYBE_ROLE.has(first.status) ? otherParty(lab, party) : null;
  if (!other) {
    if (isSuccess(first)) remember(lab, action, party);
    return first;
  }
  const second = await act(lab, action, id, { ...extra, as: other });
  if (!isSuccess(second)) return first;
  remember(lab, action, party === 'seller' ? 'buyer' : 'seller');
  return second;
}

function remember(lab: Lab, action: InvoiceAction, party: Party): void {
  const known = learned.get(lab.run) ?? new Map<InvoiceAction, Party>();
  known.set(action, party);
  learned.set(lab.run, known);
  lab.observe('acting-party', `${action}: ${party}`);
}
