import { setTimeout as pause } from 'node:timers/promises';
import { type InvoiceAction, lifecycle } from '../specs/lifecycle.ts';
import { accepted } from './accepted.ts';
import { type Answer, inWords } from './answers.ts';
import { breach } from './expect.ts';
import { amountsOf } from './funds.ts';
import { reach, stateOffering, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { notApplicable } from './not-judged.ts';
import { binding, treasury } from './operations.ts';
import { perform } from './parties.ts';

/** The balance of production. Throws NotApplicable where it cannot be had by a GET of the production key. */
export async function productionFunds(lab: Lab): Promise<Answer> {
  const { method } = binding(lab, 'treasuryBalance');
  if (method !== 'GET')
    notApplicable(`the balance is a ${method}, and nothing but GET is sent with the production key`);
  const answer = await treasury(lab, 'treasuryBalance', { as: lab.who('production') });
  if (!accepted(answer)) notApplicable(`the production key gets no balance: ${inWords(answer)}`);
  return answer;
}

/** The places of a balance whose numbers differ. */
function movedPlaces(before: Answer, after: Answer): string[] {
  const then = amountsOf(before);
  return [...amountsOf(after)].filter(([place, now]) => now !== then.get(place)).map(([place]) => place);
}

/** Longer than what a clock of whole seconds needs to move on, in milliseconds. */
const STILL_MS = 1100;
/** Production may move by itself at the moment of one action of the sandbox, but hardly at that of each, and never between. */
const ROUNDS = 3;

/**
 * Production has traffic of its own. Throws a Breach where its balance moves with an action of the sandbox every time, and does not
 * move while the sandbox is left alone.
 */
export async function expectNoCause(lab: Lab, before: Answer): Promise<void> {
  const seen = await productionFunds(lab);
  if (movedPlaces(before, seen).length === 0) return;
  // Quiet from here on: what other checks do in the sandbox would look like production's own traffic.
  await lab.run.funds.quiet(() =>
    lab.run.invoices.quiet(async () => {
      const still = await productionFunds(lab);
      await pause(STILL_MS);
      const restless = new Set(movedPlaces(still, await productionFunds(lab)));
      if (movedPlaces(before, seen).every((place) => restless.has(place))) return;
      for (const action of lifecycle.actions.filter((each) => lab.target.operations[each]))
        await expectNotCausedBy(lab, action);
    }),
  );
}

async function expectNotCausedBy(lab: Lab, action: InvoiceAction): Promise<void> {
  let always: string[] | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [invoice] = await whereReachable(() => reach(lab, stateOffering(action)));
    if (!invoice) return;
    const idle = await productionFunds(lab);
    await pause(STILL_MS);
    const before = await productionFunds(lab);
    const answer = await perform(lab, action, invoice.id);
    const after = await productionFunds(lab);
    const restless = movedPlaces(idle, before);
    const moved = movedPlaces(before, after).filter((place) => !restless.includes(place));
    always = (always ?? moved).filter((place) => moved.includes(place));
    if (!accepted(answer) || always.length === 0) return;
    if (round + 1 < ROUNDS) continue;
    const because = `${always[0]} of the production balance has moved with each of ${ROUNDS} sandbox invoices to which ${action} was done, and not in between`;
    throw breach(lab, after, 'the production balance as before', because, [before, answer]);
  }
}
