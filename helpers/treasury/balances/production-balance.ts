import { binding, treasury } from '../../api/operations.ts';
import { type ApiResponse, describeResponse, isSuccess } from '../../api/responses.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { Lab } from '../../context/check-context.ts';
import { amountsOf } from './balance.ts';

/** Whether the production key may ask for its balance: by a GET, or where the target file allows writes to production. */
export function mayAskForFunds(lab: Lab): boolean {
  const { operations, allow } = lab.target;
  return (
    operations.treasuryBalance?.method === 'GET' || (operations.treasuryBalance && allow.productionWrites) === true
  );
}

/** The balance of production. Throws NotApplicable where the production key may not ask for it. */
export async function productionFunds(lab: Lab): Promise<ApiResponse> {
  const { method } = binding(lab, 'treasuryBalance');
  if (!mayAskForFunds(lab))
    notApplicable(
      `the balance is a ${method}, and without allow.productionWrites the kit sends only GET with the production key`,
    );
  const answer = await treasury(lab, 'treasuryBalance', { as: lab.who('production') });
  if (!isSuccess(answer)) notApplicable(`the production key gets no balance: ${describeResponse(answer)}`);
  return answer;
}

/** The places of a balance whose numbers differ. */
export function movedPlaces(before: ApiResponse, after: ApiResponse): string[] {
  const then = amountsOf(before);
  return [...amountsOf(after)].filter(([place, now]) => now !== then.get(place)).map(([place]) => place);
}
