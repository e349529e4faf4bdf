import { setTimeout as pause } from 'node:timers/promises';
import { lifecycle } from '../../specs/contract/lifecycle.ts';
import { type ApiResponse, isSuccess } from '../api/responses.ts';
import { sendTreasuryRequest } from '../api/treasury-requests.ts';
import { type Confirmation, confirmBreach } from '../assert/confirm-breach.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { formatAmount } from '../data/amounts.ts';
import { withdrawalAmountFor } from '../data/withdrawal-amounts.ts';
import { performAction } from '../invoices/acting-party.ts';
import {
  createInvoiceInState,
  type Invoice,
  ifReachable,
  recordInvoiceState,
  stateOffering,
} from '../invoices/invoices.ts';
import { centsByPlace } from '../treasury/balances/balance.ts';
import { changedPlaces, readProductionBalance } from '../treasury/balances/production-balance.ts';
import { recordAcceptedExcess } from '../treasury/insufficient-funds/accepted-excess.ts';

/** Longer than one tick of a clock with whole seconds, in milliseconds. */
const BASELINE_MS = 1100;
const PRODUCTION_PAYMENTS: Confirmation = {
  rounds: 3,
  because: 'production has payments of its own',
};
/** A defect that affects one payment in this many shows in at least one of them. */
const SETTLEMENTS_PER_ACTION = 3;

/** A sandbox action that must not change production. */
export interface SandboxAction {
  name: string;
  /** Prepares the action; null if it is not possible. */
  prepare: () => Promise<(() => Promise<ApiResponse | null>) | null>;
}

/**
 * Throws a Breach if the production balance changes with a sandbox action every time and not in between. Production has its
 * own traffic, so one change proves nothing.
 */
export async function expectProductionUnaffected(ctx: CheckContext, before: ApiResponse): Promise<void> {
  const seen = await readProductionBalance(ctx);
  if (changedPlaces(before, seen).length === 0) return;
  // Exclusive from here, because other checks in the sandbox would look like production traffic.
  await ctx.run.balanceLock.exclusive(ctx.lockOwner, () =>
    ctx.run.invoiceLock.exclusive(ctx.lockOwner, async () => {
      const still = await readProductionBalance(ctx);
      await pause(BASELINE_MS);
      const restless = new Set(changedPlaces(still, await readProductionBalance(ctx)));
      if (changedPlaces(before, seen).every((place) => restless.has(place))) return;
      for (const deed of sandboxActions(ctx)) await expectProductionUnaffectedBy(ctx, deed);
    }),
  );
}

async function expectProductionUnaffectedBy(ctx: CheckContext, { name, prepare }: SandboxAction): Promise<void> {
  let always: string[] | undefined;
  await confirmBreach(ctx, PRODUCTION_PAYMENTS, async () => {
    const act = await prepare();
    if (!act) return;
    const idle = await readProductionBalance(ctx);
    await pause(BASELINE_MS);
    const before = await readProductionBalance(ctx);
    const response = await act();
    const after = await readProductionBalance(ctx);
    const restless = changedPlaces(idle, before);
    const moved = changedPlaces(before, after).filter((place) => !restless.includes(place));
    always = (always ?? moved).filter((place) => moved.includes(place));
    if (!response || always.length === 0) return;
    const because = `${always[0]} of the production balance changed after ${name} in the sandbox, but was stable right before`;
    throw breach(ctx, after, 'an unchanged production balance', because, [before, response]);
  });
}

function sandboxActions(ctx: CheckContext): SandboxAction[] {
  const { operations } = ctx.target;
  const actions = lifecycle.actions.filter((action) => operations[action] && action !== 'settle');
  const done = actions.map((action): SandboxAction => {
    const prepare = async () => {
      const [invoice] = await ifReachable(() => createInvoiceInState(ctx, stateOffering(action)));
      return invoice ? async () => successOrNull(await performAction(ctx, action, invoice.id)) : null;
    };
    return { name: `the ${action} action on an invoice`, prepare };
  });
  return [...done, ...(operations.settle ? [settlementAction(ctx)] : []), ...withdrawalActions(ctx)];
}

function settlementAction(ctx: CheckContext): SandboxAction {
  const prepare = async () => {
    const invoices: Invoice[] = [];
    for (let made = 0; made < SETTLEMENTS_PER_ACTION; made += 1)
      invoices.push(...(await ifReachable(() => createInvoiceInState(ctx, 'APPROVED'))));
    if (invoices.length < SETTLEMENTS_PER_ACTION) return null;
    return async () => {
      let last: ApiResponse | null = null;
      for (const { id } of invoices) {
        last = successOrNull(await performAction(ctx, 'settle', id));
        if (last) recordInvoiceState(ctx, { id, state: 'SETTLED' });
      }
      return last;
    };
  };
  return { name: `${SETTLEMENTS_PER_ACTION} settlements`, prepare };
}

/** A small withdrawal, and one of twice the funds. */
export function withdrawalActions(ctx: CheckContext): SandboxAction[] {
  if (!ctx.target.operations.treasuryWithdraw) return [];
  const { text } = withdrawalAmountFor(ctx, 'cause of a movement');
  const small = async () => successOrNull(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, text));
  return [
    { name: 'a withdrawal', prepare: async () => small },
    { name: 'a withdrawal that exceeds the funds', prepare: () => prepareExcessiveWithdrawal(ctx) },
  ];
}

/** Prepares a withdrawal of twice the largest number of the balance, which the server must reject. */
export async function prepareExcessiveWithdrawal(
  ctx: CheckContext,
): Promise<(() => Promise<ApiResponse | null>) | null> {
  const before = await sendTreasuryRequest(ctx, 'treasuryBalance');
  const most = Math.max(0, ...centsByPlace(before).values());
  if (most === 0 || most > MAX_DOUBLED_CENTS) return null;
  const amount = formatAmount(2 * most);
  return async () => {
    const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
    if (!isSuccess(response)) return response;
    await recordAcceptedExcess(ctx, { amount, before, response });
    return null;
  };
}

/** Twice a larger amount may have more digits than an amount allows. */
const MAX_DOUBLED_CENTS = 400_000_000_000;

const successOrNull = (response: ApiResponse): ApiResponse | null => (isSuccess(response) ? response : null);
