import { requireBinding, sendTreasuryRequest } from '../../api/operations.ts';
import { type ApiResponse, describeResponse, isSuccess } from '../../api/responses.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { centsByPlace } from './balance.ts';

/** Whether the production key may ask for its balance: by a GET, or where the target file allows writes to production. */
export function mayReadProductionBalance(lab: CheckContext): boolean {
  const { operations, allow } = lab.target;
  return (
    operations.treasuryBalance?.method === 'GET' || (operations.treasuryBalance && allow.productionWrites) === true
  );
}

/** The balance of production. Throws NotApplicable where the production key may not ask for it. */
export async function readProductionBalance(lab: CheckContext): Promise<ApiResponse> {
  const { method } = requireBinding(lab, 'treasuryBalance');
  if (!mayReadProductionBalance(lab))
    notApplicable(
      `the balance is a ${method}, and without allow.productionWrites the kit sends only GET with the production key`,
    );
  const answer = await sendTreasuryRequest(lab, 'treasuryBalance', { as: lab.credentials('production') });
  if (!isSuccess(answer)) notApplicable(`the production key gets no balance: ${describeResponse(answer)}`);
  return answer;
}

/** The places of a balance whose numbers differ. */
export function changedPlaces(before: ApiResponse, after: ApiResponse): string[] {
  const then = centsByPlace(before);
  return [...centsByPlace(after)].filter(([place, now]) => now !== then.get(place)).map(([place]) => place);
}
