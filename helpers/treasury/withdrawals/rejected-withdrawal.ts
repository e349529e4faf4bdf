import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../../engine/ledger/run-ledger.ts';
import type { Credentials } from '../../../engine/model/credentials.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import type { RunContext } from '../../../engine/run/run-context.ts';
import { JointSection, runStep } from '../../../engine/scheduling/joint-section.ts';
import type { ActionOptions } from '../../api/requests.ts';
import { sendTreasuryRequest, treasuryActor } from '../../api/treasury-requests.ts';
import { confirmBreach, FOREIGN_PAYMENT } from '../../assert/confirm-breach.ts';
import { breach } from '../../assert/expect.ts';
import type { CheckContext } from '../../context/check.ts';
import { type WithdrawalAmount, type WithdrawalPurpose, withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { centsByPlace, type LoweredAmount, waitForLoweredAmount } from '../balances/balance.ts';

/** How long, in milliseconds, a wrong withdrawal may take to show. */
const WITHDRAWAL_EFFECT_MS = 100;

/**
 * Sends withdrawals that must be rejected, applies `rule` to each response, and throws a Breach if the balance falls by one
 * of them.
 */
export async function expectNoWithdrawal(
  ctx: CheckContext,
  use: WithdrawalPurpose,
  extras: readonly ActionOptions[],
  rule: (response: ApiResponse) => void | Promise<void>,
): Promise<void> {
  const applyRule = async ({ responses }: RejectedWithdrawals): Promise<void> => {
    for (const response of responses) await rule(response);
  };
  await confirmBreach(ctx, FOREIGN_PAYMENT, async ({ number }) => {
    if (number === 1) {
      const together = new RejectedWithdrawals(ctx, withdrawalAmountFor(ctx, use), extras);
      await jointSectionOf(ctx.run).join(together, ctx.lockOwner, { isInside: ctx.isExclusive });
      await applyRule(together);
      if (!together.hasFallen) return;
    }
    // The withdrawal of another check may have been paid, so this one is repeated alone.
    const sum = withdrawalAmountFor(ctx, use, number + 1);
    const alone = new RejectedWithdrawals(ctx, sum, extras);
    const paid = await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
      await alone.readBalances();
      await alone.send();
      await applyRule(alone);
      return await alone.findPaid();
    });
    if (paid)
      throw breach(
        ctx,
        paid.response,
        'no withdrawal',
        `the server rejected ${describeRejected(alone.responses, sum)}, but ${paid.place} fell by ${sum.text}`,
        alone.responses,
      );
  });
}

const jointSectionOf = runState(
  ({ balanceLock }: RunContext) =>
    new JointSection<RejectedWithdrawals>(balanceLock, async (participants) => {
      const ready = await runStep(participants(), (withdrawals) => withdrawals.readBalances());
      const sent = await runStep(ready, (withdrawals) => withdrawals.send());
      for (const { resolve } of await runStep(sent, (withdrawals) => withdrawals.findFall())) resolve();
    }),
);

/** Withdrawals of one check that must be rejected, and the balances that a wrong one may lower. */
class RejectedWithdrawals {
  responses: readonly ApiResponse[] = [];
  /** Whether a balance fell, by this withdrawal or by another one. */
  hasFallen = false;
  private balances: readonly { as: Credentials; amounts: ReadonlyMap<string, number> }[] = [];
  private readonly ctx: CheckContext;
  private readonly amount: WithdrawalAmount;
  private readonly extras: readonly ActionOptions[];

  constructor(ctx: CheckContext, amount: WithdrawalAmount, extras: readonly ActionOptions[]) {
    this.ctx = ctx;
    this.amount = amount;
    this.extras = extras;
  }

  async readBalances(): Promise<void> {
    this.balances = await readAffectedBalances(this.ctx);
  }

  async send(): Promise<void> {
    const { ctx, amount, extras } = this;
    this.responses = await Promise.all(
      extras.map((extra) => sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, amount.text)),
    );
  }

  /** The number of a balance that fell by the amount of this check. */
  async findPaid(): Promise<LoweredAmount | undefined> {
    const { ctx, amount, responses } = this;
    const most = responses.length;
    // A decrease stays, so one read at the end is enough.
    await pause(WITHDRAWAL_EFFECT_MS);
    const lowered = await Promise.all(
      this.balances.map(({ as, amounts }) =>
        waitForLoweredAmount(ctx, amounts, amount.cents, 0, { least: 1, most, as }),
      ),
    );
    return lowered.find((each) => each !== null) ?? undefined;
  }

  /** Other withdrawals may have other amounts, so any decrease counts. */
  async findFall(): Promise<void> {
    await pause(WITHDRAWAL_EFFECT_MS);
    const now = await readAffectedBalances(this.ctx);
    this.hasFallen = this.balances.some(({ amounts }, at) =>
      [...(now[at]?.amounts ?? [])].some(([place, cents]) => cents < (amounts.get(place) ?? cents)),
    );
  }
}

function describeRejected(responses: readonly ApiResponse[], { text }: WithdrawalAmount): string {
  const statuses = [...new Set(responses.map(({ status }) => status))].join(' and ');
  const what = responses.length === 1 ? 'the withdrawal' : `${responses.length} withdrawals`;
  return `${what} of ${text} with ${statuses}`;
}

/** The balances that a wrong withdrawal may lower: that of the withdrawing actor and that of the seller. */
async function readAffectedBalances(ctx: CheckContext) {
  if (!ctx.target.operations.treasuryBalance) return [];
  const names = ctx.availableActors(...new Set([treasuryActor(ctx, 'treasuryWithdraw'), 'seller' as const]));
  return await Promise.all(
    names.map(async (name) => {
      const as = ctx.credentials(name);
      return { as, amounts: centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance', { as })) };
    }),
  );
}
