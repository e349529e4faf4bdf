import { requireBinding, sendTreasuryRequest } from '../../api/operations.ts';
import { type ApiResponse, describeResponse, isSuccess } from '../../api/responses.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { centsByPlace } from './balance.ts';

/** Whether the production key may ask for its balance: by a GET, or where the target file allows writes to production. */
export function mayReadProductionBalance(ctx: CheckContext): boolean {
  const { operations, allow } = ctx.target;
  return (
    operations.treasuryBalance?.method === 'GET' || (operations.treasuryBalance && allow.productionWrites) === true
  );
}

/** The balance of production. Throws NotApplicable where the production key may not ask for it. */
export async function readProductionBalance(ctx: CheckContext): Promise<ApiResponse> {
  const { method } = requireBinding(ctx, 'treasuryBalance');
  if (!mayReadProductionBalance(ctx))
    notApplicable(
      `the balance is a ${method}, and without allow.productionWrites the kit sends only GET with the production key`,
    );
  const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { as: ctx.credentials('production') });
  if (!isSuccess(response)) notApplicable(`the production key gets no balance: ${describeResponse(response)}`);
  return response;
}

/** The places of a balance whose numbers differ. */
export function changedPlaces(before: ApiResponse, after: ApiResponse): string[] {
  const then = centsByPlace(before);
  return [...centsByPlace(after)].filter(([place, now]) => now !== then.get(place)).map(([place]) => place);
}
