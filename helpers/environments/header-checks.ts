import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { environmentHeader } from '../api/environment-header.ts';
import { LIST_QUERY_VARIANTS, listInvoices, readInvoice } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { type ApiResponse, is2xx } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { type Check, check } from '../context/check.ts';
import { createInvoice } from '../invoices/invoices.ts';
import { calibrateRanges } from '../invoices/range-calibration.ts';
import { otherSandboxActors } from '../lists/other-key-lists.ts';

export const LIST_QUERIES = [{}, ...LIST_QUERY_VARIANTS];

/** A check that repeats every accepted request of the other keys with the header. */
export function headerForOtherKeysCheck(
  id: CheckId,
  headers: [string, string][],
  rule: (ctx: CheckContext, response: ApiResponse, name: ActorName) => void,
): Check {
  return check(id, ['seller', 'boundOperations'], async (ctx) => {
    const requests = await permittedRequests(ctx);
    const responses = await Promise.all(
      otherSandboxActors(ctx).flatMap((name) =>
        requests.map(async (request) => {
          const as = ctx.credentials(name);
          // The contract leaves the permissions of the keys open.
          if (!is2xx(await request({ as }))) return false;
          // A stale replica may not have the invoice yet.
          const there = ({ status }: ApiResponse) => status !== 404;
          rule(
            ctx,
            await pollUntil(ctx, () => request({ as, headers }), there, 'reads a new invoice with X-Environment'),
            name,
          );
          return true;
        }),
      ),
    );
    if (!responses.includes(true)) notApplicable('the server lets no other key list or read');
  });
}

/** The requests that every key may send: a list, and a read of a new invoice. */
async function permittedRequests(ctx: CheckContext): Promise<((extra: RequestOptions) => Promise<ApiResponse>)[]> {
  const listing = (extra: RequestOptions) => listInvoices(ctx, { page: 0, limit: 1 }, extra);
  const reads = ctx.target.operations.read?.method === 'GET' && ctx.run.plan.mayMutate;
  if (!reads || !ctx.run.plan.organizations.buyer) return [listing];
  await calibrateRanges(ctx);
  const { id } = await createInvoice(ctx);
  return [listing, (extra) => readInvoice(ctx, id, extra)];
}

export const PRODUCTION_HEADER_OPTIONS = { headers: environmentHeader('PRODUCTION') };
