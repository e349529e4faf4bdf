import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import { sendAction } from '../api/operations.ts';
import { type ActionOptions, requireBinding } from '../api/requests.ts';
import { isBusinessRule, isInsufficientFunds, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';

/** The two organizations of an invoice. */
export type Party = 'seller' | 'buyer';

const USUAL_PARTIES: Record<InvoiceAction, Party> = {
  submit: 'seller',
  delete: 'seller',
  approve: 'buyer',
  dispute: 'buyer',
  cancel: 'seller',
  settle: 'buyer',
  resolve: 'seller',
};

/**
 * The party whose request the server accepted, by run and action. The contract does not say which party may perform an
 * action.
 */
const learnedParties = runState(() => new Map<InvoiceAction, Party>());

/**
 * The party to perform an action: the one that succeeded before, else the one that the target file binds, else the
 * usual one.
 */
export function partyFor(ctx: CheckContext, action: InvoiceAction): Party {
  return learnedParties(ctx.run).get(action) ?? requireBinding(ctx, action).actor ?? USUAL_PARTIES[action];
}

/** The other party's credentials, if the target file has them. */
export function otherPartyCredentials(ctx: CheckContext, party: Party): Credentials | null {
  const other = party === 'seller' ? 'buyer' : 'seller';
  return ctx.target.actors[other] ? ctx.credentials(other) : null;
}

/** Statuses of a rejection that may depend on the party instead of the invoice. */
const ROLE_REJECTION_STATUSES = new Set([403, 404, 409, 412]);

/** The wait before each retry, in milliseconds. Their sum exceeds the lifetime of a lock on a busy record. */
const RETRY_DELAYS_MS = [250, 500, 1000];
/** After this many retries without success, the kit does not retry the action again. */
const MAX_FUTILE_RETRIES = 3;

interface RetryHistory {
  /** How often all retries were rejected. */
  failures: number;
  /** Whether a retry was ever accepted. */
  hasSucceeded: boolean;
}

const retryHistories = runState(() => new Map<InvoiceAction, RetryHistory>());

/**
 * Whether a rejection may end soon: a 409, a rule of the server, or a 404 to a party that sees a change of the other
 * party late. Insufficient funds are not temporary.
 */
function mayBeTemporary(response: ApiResponse): boolean {
  return (
    response.status === 409 || response.status === 404 || (isBusinessRule(response) && !isInsufficientFunds(response))
  );
}

/**
 * Repeats a request while its response may be temporary. Returns the first response that is not temporary, otherwise
 * the first one.
 */
export async function retryWhileLocked(
  request: () => Promise<ApiResponse>,
  isTemporary: (response: ApiResponse) => boolean = mayBeTemporary,
): Promise<ApiResponse> {
  const first = await request();
  if (!isTemporary(first)) return first;
  for (const wait of RETRY_DELAYS_MS) {
    await pause(wait);
    const again = await request();
    if (!isTemporary(again)) return again;
  }
  return first;
}

/**
 * Performs an action as the party that may perform it. Tries the other party if the rejection may depend on the
 * party, waits for temporary rejections, and returns the accepted response, otherwise the first one.
 */
export async function performAction(
  ctx: CheckContext,
  action: InvoiceAction,
  id: string,
  extra: ActionOptions = {},
): Promise<ApiResponse> {
  const first = await performOnce(ctx, action, id, extra);
  if (!mayBeTemporary(first)) return first;
  const histories = retryHistories(ctx.run);
  const history = histories.get(action) ?? { failures: 0, hasSucceeded: false };
  histories.set(action, history);
  if (!history.hasSucceeded && history.failures >= MAX_FUTILE_RETRIES) return first;
  for (const wait of RETRY_DELAYS_MS) {
    await pause(wait);
    const again = await performOnce(ctx, action, id, extra);
    if (mayBeTemporary(again)) continue;
    history.hasSucceeded ||= isSuccess(again);
    return again;
  }
  history.failures += 1;
  return first;
}

async function performOnce(
  ctx: CheckContext,
  action: InvoiceAction,
  id: string,
  extra: ActionOptions,
): Promise<ApiResponse> {
  const party = partyFor(ctx, action);
  const first = await sendAction(ctx, action, id, { ...extra, as: ctx.credentials(party) });
  const other = ROLE_REJECTION_STATUSES.has(first.status) ? otherPartyCredentials(ctx, party) : null;
  if (!other) {
    if (isSuccess(first)) learnParty(ctx, action, party);
    return first;
  }
  const second = await sendAction(ctx, action, id, { ...extra, as: other });
  if (!isSuccess(second)) return first;
  learnParty(ctx, action, party === 'seller' ? 'buyer' : 'seller');
  return second;
}

function learnParty(ctx: CheckContext, action: InvoiceAction, party: Party): void {
  learnedParties(ctx.run).set(action, party);
  ctx.observe('acting-party', `${action}: ${party}`);
}
