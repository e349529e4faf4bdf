import { setTimeout as pause } from 'node:timers/promises';
import { lifecycle } from '../../specs/lifecycle.ts';
import { treasury } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import type { Lab } from '../context/check-context.ts';
import { asAmount } from '../data/amounts.ts';
import { ownSum } from '../data/withdrawal-amounts.ts';
import { perform } from '../invoices/acting-party.ts';
import { type Invoice, keepTrack, reach, stateOffering, whereReachable } from '../invoices/invoices.ts';
import { amountsOf } from '../treasury/balances/balance.ts';
import { movedPlaces, productionFunds } from '../treasury/balances/production-balance.ts';

/** Longer than what a clock of whole seconds needs to move on, in milliseconds. */
const STILL_MS = 1100;
/** Production may move by itself at the moment of one action of the sandbox, but hardly at that of each, and never between. */
const ROUNDS = 3;
/** What is done to one payment in so many is done to one of as many. */
const AT_ONCE = 3;

/** Something that is done in the sandbox, and may not move production. */
export interface Deed {
  name: string;
  /** Gets ready to do it; null where it cannot be done. */
  prepare: () => Promise<(() => Promise<ApiResponse | null>) | null>;
}

/**
 * Production has traffic of its own. Throws a Breach where its balance moves with a deed in the sandbox every time, and does not
 * move while the sandbox is left alone.
 */
export async function expectNoCause(lab: Lab, before: ApiResponse): Promise<void> {
  const seen = await productionFunds(lab);
  if (movedPlaces(before, seen).length === 0) return;
  // Quiet from here on: what other checks do in the sandbox would look like production's own traffic.
  await lab.run.funds.quietFor(lab.asking.id, () =>
    lab.run.invoices.quiet(lab.asking.id, async () => {
      const still = await productionFunds(lab);
      await pause(STILL_MS);
      const restless = new Set(movedPlaces(still, await productionFunds(lab)));
      if (movedPlaces(before, seen).every((place) => restless.has(place))) return;
      for (const deed of deeds(lab)) await expectNotCausedBy(lab, deed);
    }),
  );
}

async function expectNotCausedBy(lab: Lab, { name, prepare }: Deed): Promise<void> {
  let always: string[] | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const act = await prepare();
    if (!act) return;
    const idle = await productionFunds(lab);
    await pause(STILL_MS);
    const before = await productionFunds(lab);
    const answer = await act();
    const after = await productionFunds(lab);
    const restless = movedPlaces(idle, before);
    const moved = movedPlaces(before, after).filter((place) => !restless.includes(place));
    always = (always ?? moved).filter((place) => moved.includes(place));
    if (!answer || always.length === 0) return;
    if (round + 1 < ROUNDS) continue;
    const because = `${always[0]} of the production balance has moved each of ${ROUNDS} times with ${name} in the sandbox, and not in between`;
    throw breach(lab, after, 'the production balance as before', because, [before, answer]);
  }
}

function deeds(lab: Lab): Deed[] {
  const { operations } = lab.target;
  const actions = lifecycle.actions.filter((action) => operations[action] && action !== 'settle');
  const done = actions.map((action): Deed => {
    const prepare = async () => {
      const [invoice] = await whereReachable(() => reach(lab, stateOffering(action)));
      return invoice ? async () => acceptedOnly(await perform(lab, action, invoice.id)) : null;
    };
    return { name: `an invoice to which ${action} is done`, prepare };
  });
  return [...done, ...(operations.settle ? [settlements(lab)] : []), ...withdrawals(lab)];
}

function settlements(lab: Lab): Deed {
  const prepare = async () => {
    const invoices: Invoice[] = [];
    for (let made = 0; made < AT_ONCE; made += 1)
      invoices.push(...(await whereReachable(() => reach(lab, 'APPROVED'))));
    if (invoices.length < AT_ONCE) return null;
    return async () => {
      let last: ApiResponse | null = null;
      for (const { id } of invoices) {
        last = acceptedOnly(await perform(lab, 'settle', id));
        if (last) keepTrack(lab, { id, state: 'SETTLED' });
      }
      return last;
    };
  };
  return { name: `${AT_ONCE} settlements`, prepare };
}

/** A small one, and one of twice the funds. */
export function withdrawals(lab: Lab): Deed[] {
  if (!lab.target.operations.treasuryWithdraw) return [];
  const { text } = ownSum(lab, 'cause of a movement');
  const small = async () => acceptedOnly(await treasury(lab, 'treasuryWithdraw', {}, text));
  return [
    { name: 'a withdrawal', prepare: async () => small },
    { name: 'a withdrawal beyond the funds', prepare: () => beyondFunds(lab) },
  ];
}

/** A withdrawal of twice the largest number of the balance, which is to be refused. */
export async function beyondFunds(lab: Lab): Promise<(() => Promise<ApiResponse | null>) | null> {
  const most = Math.max(0, ...amountsOf(await treasury(lab, 'treasuryBalance')).values());
  if (most === 0 || most > MOST_CENTS) return null;
  return async () => {
    const answer = await treasury(lab, 'treasuryWithdraw', { beyondFunds: true }, asAmount(2 * most));
    return isSuccess(answer) ? null : answer;
  };
}

/** Above this, twice as much may be more than an amount may have digits. */
const MOST_CENTS = 400_000_000_000;

const acceptedOnly = (answer: ApiResponse): ApiResponse | null => (isSuccess(answer) ? answer : null);
