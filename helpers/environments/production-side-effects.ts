import { setTimeout as pause } from 'node:timers/promises';
import { lifecycle } from '../../specs/lifecycle.ts';
import { sendTreasuryRequest } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
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

/** Longer than what a clock of whole seconds needs to move on, in milliseconds. */
const BASELINE_MS = 1100;
/** Production may move by itself at the moment of one action of the sandbox, but hardly at that of each, and never between. */
const ACTION_ROUNDS = 3;
/** What is done to one payment in so many is done to one of as many. */
const SETTLEMENTS_PER_ACTION = 3;

/** Something that is done in the sandbox, and may not move production. */
export interface SandboxAction {
  name: string;
  /** Gets ready to do it; null where it cannot be done. */
  prepare: () => Promise<(() => Promise<ApiResponse | null>) | null>;
}

/**
 * Production has traffic of its own. Throws a Breach where its balance moves with a deed in the sandbox every time, and does not
 * move while the sandbox is left alone.
 */
export async function expectProductionUnaffected(lab: CheckContext, before: ApiResponse): Promise<void> {
  const seen = await readProductionBalance(lab);
  if (changedPlaces(before, seen).length === 0) return;
  // Quiet from here on: what other checks do in the sandbox would look like production's own traffic.
  await lab.run.balanceLock.exclusive(lab.execution.id, () =>
    lab.run.invoiceLock.exclusiveSection(lab.execution.id, async () => {
      const still = await readProductionBalance(lab);
      await pause(BASELINE_MS);
      const restless = new Set(changedPlaces(still, await readProductionBalance(lab)));
      if (changedPlaces(before, seen).every((place) => restless.has(place))) return;
      for (const deed of sandboxActions(lab)) await expectProductionUnaffectedBy(lab, deed);
    }),
  );
}

async function expectProductionUnaffectedBy(lab: CheckContext, { name, prepare }: SandboxAction): Promise<void> {
  let always: string[] | undefined;
  for (let round = 0; round < ACTION_ROUNDS; round += 1) {
    const act = await prepare();
    if (!act) return;
    const idle = await readProductionBalance(lab);
    await pause(BASELINE_MS);
    const before = await readProductionBalance(lab);
    const answer = await act();
    const after = await readProductionBalance(lab);
    const restless = changedPlaces(idle, before);
    const moved = changedPlaces(before, after).filter((place) => !restless.includes(place));
    always = (always ?? moved).filter((place) => moved.includes(place));
    if (!answer || always.length === 0) return;
    if (round + 1 < ACTION_ROUNDS) continue;
    const because = `${always[0]} of the production balance has moved each of ${ACTION_ROUNDS} times with ${name} in the sandbox, and not in between`;
    throw breach(lab, after, 'the production balance as before', because, [before, answer]);
  }
}

function sandboxActions(lab: CheckContext): SandboxAction[] {
  const { operations } = lab.target;
  const actions = lifecycle.actions.filter((action) => operations[action] && action !== 'settle');
  const done = actions.map((action): SandboxAction => {
    const prepare = async () => {
      const [invoice] = await ifReachable(() => createInvoiceInState(lab, stateOffering(action)));
      return invoice ? async () => successOrNull(await performAction(lab, action, invoice.id)) : null;
    };
    return { name: `an invoice to which ${action} is done`, prepare };
  });
  return [...done, ...(operations.settle ? [settlementAction(lab)] : []), ...withdrawalActions(lab)];
}

function settlementAction(lab: CheckContext): SandboxAction {
  const prepare = async () => {
    const invoices: Invoice[] = [];
    for (let made = 0; made < SETTLEMENTS_PER_ACTION; made += 1)
      invoices.push(...(await ifReachable(() => createInvoiceInState(lab, 'APPROVED'))));
    if (invoices.length < SETTLEMENTS_PER_ACTION) return null;
    return async () => {
      let last: ApiResponse | null = null;
      for (const { id } of invoices) {
        last = successOrNull(await performAction(lab, 'settle', id));
        if (last) recordInvoiceState(lab, { id, state: 'SETTLED' });
      }
      return last;
    };
  };
  return { name: `${SETTLEMENTS_PER_ACTION} settlements`, prepare };
}

/** A small one, and one of twice the funds. */
export function withdrawalActions(lab: CheckContext): SandboxAction[] {
  if (!lab.target.operations.treasuryWithdraw) return [];
  const { text } = withdrawalAmountFor(lab, 'cause of a movement');
  const small = async () => successOrNull(await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, text));
  return [
    { name: 'a withdrawal', prepare: async () => small },
    { name: 'a withdrawal beyond the funds', prepare: () => prepareExcessiveWithdrawal(lab) },
  ];
}

/** A withdrawal of twice the largest number of the balance, which is to be refused. */
export async function prepareExcessiveWithdrawal(
  lab: CheckContext,
): Promise<(() => Promise<ApiResponse | null>) | null> {
  const most = Math.max(0, ...centsByPlace(await sendTreasuryRequest(lab, 'treasuryBalance')).values());
  if (most === 0 || most > MAX_DOUBLED_CENTS) return null;
  return async () => {
    const answer = await sendTreasuryRequest(lab, 'treasuryWithdraw', { exceedsFunds: true }, formatAmount(2 * most));
    return isSuccess(answer) ? null : answer;
  };
}

/** Above this, twice as much may be more than an amount may have digits. */
const MAX_DOUBLED_CENTS = 400_000_000_000;

const successOrNull = (answer: ApiResponse): ApiResponse | null => (isSuccess(answer) ? answer : null);
