import type { ActionOptions } from '../../api/requests.ts';
import { type ApiResponse, bodyMember, describeResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import { CONFLICTING_REQUEST, confirmBreach } from '../../assert/confirm-breach.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedResult } from '../../context/shared-result.ts';
import { withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { affordableLargeAmount } from './large-withdrawal.ts';
import { type ReplayableWithdrawal, repeatedWithdrawal } from './repeated-withdrawal.ts';

export async function createReplayableWithdrawal(ctx: CheckContext, amount: string): Promise<ReplayableWithdrawal> {
  return await confirmBreach(ctx, CONFLICTING_REQUEST, async () => {
    const extra = { requestId: ctx.createRequestId() };
    const first = await sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, amount);
    if (isSuccess(first)) {
      return {
        first,
        replay: (replaying: CheckContext, more: ActionOptions = {}) =>
          sendTreasuryRequest(replaying, 'treasuryWithdraw', { ...extra, ...more }, amount),
      };
    }
    // The control: is the requestId rejected, or the withdrawal?
    const without = await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, amount);
    if (!isSuccess(without)) return notApplicable(`a withdrawal of ${amount} is rejected: ${describeResponse(first)}`);
    return expectAcceptedWithRequestId(ctx, first, without);
  });
}

/** Throws a Breach if a withdrawal with a requestId was rejected and the same one without it accepted. */
function expectAcceptedWithRequestId(ctx: CheckContext, first: ApiResponse, without: ApiResponse): never {
  const expected = 'a withdrawal with a requestId accepted, like the same withdrawal without one';
  throw breach(ctx, first, expected, 'the withdrawal is rejected', [without]);
}

/** The withdrawal that other checks have repeated. Creates a new one if there is none. */
export async function earlyWithdrawal(ctx: CheckContext): Promise<ReplayableWithdrawal> {
  const repeated = await repeatedWithdrawal(ctx);
  return repeated ?? (await ownEarlyWithdrawal(ctx));
}

const ownEarlyWithdrawal = sharedResult((ctx) =>
  createReplayableWithdrawal(ctx, withdrawalAmountFor(ctx, 'early').text),
);

export async function createLargeWithdrawal(ctx: CheckContext): Promise<ReplayableWithdrawal> {
  const sum = await affordableLargeAmount(ctx);
  return sum === null
    ? notApplicable('the balance does not cover a large withdrawal')
    : await createReplayableWithdrawal(ctx, sum);
}

/** If replays return a stable withdrawal id, all responses to one requestId must have that id. Throws a Breach if not. */
export async function expectSingleWithdrawalId(
  ctx: CheckContext,
  responses: readonly ApiResponse[],
  replay: () => Promise<ApiResponse>,
): Promise<void> {
  const ids = new Set<unknown>(
    responses.map((response) => bodyMember(response, 'id')).filter((id) => id !== undefined),
  );
  if (ids.size < 2) return;
  const replays = [await replay(), await replay()].map((response) => bodyMember(response, 'id'));
  if (replays[0] !== replays[1] || !ids.has(replays[0])) return;
  const [first, ...rest] = responses as [ApiResponse, ...ApiResponse[]];
  throw breach(
    ctx,
    first,
    `one withdrawal (${String(replays[0])}) for one requestId`,
    `the responses show ${ids.size} withdrawal ids`,
    rest,
  );
}
