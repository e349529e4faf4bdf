import { accepted } from './accepted.ts';
import { type Answer, inWords } from './answers.ts';
import { amountsOf } from './funds.ts';
import type { Lab } from './lab.ts';
import { notApplicable } from './not-judged.ts';
import { binding, treasury } from './operations.ts';

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
export function movedPlaces(before: Answer, after: Answer): string[] {
  const then = amountsOf(before);
  return [...amountsOf(after)].filter(([place, now]) => now !== then.get(place)).map(([place]) => place);
}
