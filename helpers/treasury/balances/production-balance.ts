import { requireBinding } from '../../api/requests.ts';
import { type ApiResponse, describeResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { centsByPlace } from './balance.ts';

/** Whether the kit may request the production balance: by GET, or if the target file allows writes to production. */
export function mayReadProductionBalance(ctx: CheckContext): boolean {
  const { operations, allow } = ctx.target;
  return (
    operations.treasuryBalance?.method === 'GET' || (operations.treasuryBalance && allow.productionWrites) === true
  );
}

/** The production balance. Throws NotApplicable if the kit must not request it or the server rejects the request. */
export async function readProductionBalance(ctx: CheckContext): Promise<ApiResponse> {
  const { method } = requireBinding(ctx, 'treasuryBalance');
  if (!mayReadProductionBalance(ctx))
    notApplicable(
      `operations.treasuryBalance uses ${method}; without allow.productionWrites the kit sends only GET requests with the production key`,
    );
  const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { as: ctx.credentials('production') });
  if (!isSuccess(response))
    notApplicable(`the server rejects a balance request with the production key: ${describeResponse(response)}`);
  return response;
}

/** The paths of the numbers that differ. */
export function changedPlaces(before: ApiResponse, after: ApiResponse): string[] {
  const then = centsByPlace(before);
  return [...centsByPlace(after)].filter(([place, now]) => now !== then.get(place)).map(([place]) => place);
}
