import { PRODUCTION_PREFIX } from '../../engine/ledger/leftovers.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import type { CheckContext } from '../context/check.ts';
import { centsOf, formatAmount } from '../data/amounts.ts';
import { isAcceptedWithdrawal, withdrawWithinLimit } from '../data/withdrawal-ledger.ts';
import {
  type ActionOptions,
  buildBoundRequest,
  type RequestOptions,
  requireBinding,
  sendBoundRequest,
} from './requests.ts';
import { isSuccess } from './responses.ts';

/** Sends the same withdrawal several times at the same moment. */
export async function withdrawSimultaneously(
  ctx: CheckContext,
  requestId: string,
  amount: string,
  times: number,
): Promise<ApiResponse[]> {
  const as = ctx.credentials(treasuryActor(ctx, 'treasuryWithdraw'));
  const request = buildBoundRequest(ctx, 'treasuryWithdraw', { as, requestId }, { amount });
  const sendAll = () => ctx.sendSimultaneously(Array.from({ length: times }, () => request));
  const responses = await withdrawWithinLimit(
    ctx,
    { amount, requestId: `${as.actorLabel}: ${requestId}`, exceedsFunds: false },
    () => ctx.run.balanceLock.payment(ctx.lockOwner, sendAll),
    (all) => all.some(isSuccess),
  );
  if (responses.some(isSuccess)) recordWithdrawal(ctx, amount, requestId);
  return responses;
}

/** Sends different withdrawals at the same moment. Returns the responses in the same order. */
export async function withdrawDifferentSimultaneously(
  ctx: CheckContext,
  withdrawals: readonly { requestId: string; amount: string }[],
): Promise<ApiResponse[]> {
  const as = ctx.credentials(treasuryActor(ctx, 'treasuryWithdraw'));
  const requests = withdrawals.map(({ requestId, amount }) =>
    buildBoundRequest(ctx, 'treasuryWithdraw', { as, requestId }, { amount }),
  );
  const sum = withdrawals.reduce((cents, { amount }) => cents + centsOf(amount), 0);
  const responses = await withdrawWithinLimit(
    ctx,
    { amount: formatAmount(sum), requestId: undefined, exceedsFunds: false },
    () => ctx.run.balanceLock.payment(ctx.lockOwner, () => ctx.sendSimultaneously(requests)),
    (all) => all.some(isSuccess),
  );
  withdrawals.forEach(({ requestId, amount }, at) => {
    if (isSuccess(responses[at] as ApiResponse)) recordWithdrawal(ctx, amount, requestId);
  });
  return responses;
}

/** Sends a treasury operation as the actor that the target file binds (the seller by default). */
export async function sendTreasuryRequest(
  ctx: CheckContext,
  name: 'treasuryBalance' | 'treasuryWithdraw',
  extra: ActionOptions = {},
  amount = '1.00',
): Promise<ApiResponse> {
  requireBinding(ctx, name);
  const send = () =>
    sendBoundRequest(ctx, name, { as: ctx.credentials(treasuryActor(ctx, name)), ...extra }, { amount });
  if (name === 'treasuryBalance') return await send();
  const { requestId, exceedsFunds = false } = extra;
  // The same requestId of another organization is not a replay.
  const who = extra.as?.actorLabel ?? treasuryActor(ctx, name);
  const named = requestId && `${who}: ${requestId}`;
  const isReplay = isAcceptedWithdrawal(ctx.run, named);
  const response = await withdrawWithinLimit(
    ctx,
    { amount, requestId: named, exceedsFunds },
    () => ctx.run.balanceLock.payment(ctx.lockOwner, send),
    isSuccess,
  );
  // A replay is not a second withdrawal, whichever amount it names.
  if (isSuccess(response) && !isReplay)
    recordWithdrawal(ctx, amount, requestId ?? `without requestId (#${ctx.run.nextSerial()})`, extra);
  return response;
}

/** The default actor of a treasury operation. The balance and the withdrawals belong to the same party. */
export function treasuryActor({ target }: CheckContext, name: 'treasuryBalance' | 'treasuryWithdraw'): ActorName {
  const { treasuryBalance, treasuryWithdraw } = target.operations;
  const [own, other] =
    name === 'treasuryBalance' ? [treasuryBalance, treasuryWithdraw] : [treasuryWithdraw, treasuryBalance];
  return own?.actor ?? other?.actor ?? 'seller';
}

function recordWithdrawal(ctx: CheckContext, amount: string, id: string, extra: RequestOptions = {}): void {
  const what = mayAffectProduction(extra) ? `${PRODUCTION_PREFIX}withdrawal` : 'withdrawal';
  ctx.run.leftovers.recordCreated(
    `${amount}, ${id}`,
    what,
    'the contract describes no operation that reverses a withdrawal',
  );
}

/**
 * Whether an accepted request may have had an effect in production, through its key or the environment that it names.
 */
export function mayAffectProduction({ as, headers = [] }: RequestOptions): boolean {
  return as?.actor === 'production' || headers.some(([, value]) => value === 'PRODUCTION');
}
