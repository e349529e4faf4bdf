import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target.ts';
import { firstInvoice } from '../adaptation/calibrate-ranges.ts';
import { environment } from '../api/environment-header.ts';
import type { Extra } from '../api/operations.ts';
import { list, readInvoice, WAYS_TO_LIST } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isShown } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { Check } from '../context/check.ts';
import { check } from '../context/check.ts';
import type { Lab } from '../context/check-context.ts';
import { freshInvoice } from '../invoices/invoices.ts';
import { otherSandboxActors } from '../lists/lists-of-other-keys.ts';

export const LIST_QUERIES = [{}, ...WAYS_TO_LIST];

/** Whatever another key is granted without the header is asked once more with it. */
export function headerForOtherKeysCheck(
  id: CheckId,
  headers: [string, string][],
  judge: (lab: Lab, answer: ApiResponse, name: ActorName) => void,
): Check {
  return check(id, ['seller', 'boundOperations'], async (lab) => {
    const asks = await requestsOf(lab);
    const answers = await Promise.all(
      otherSandboxActors(lab).flatMap((name) =>
        asks.map(async (ask) => {
          const as = lab.who(name);
          // Which key may do what is not shown.
          if (!isShown(await ask({ as }))) return false;
          // A copy that is behind may not have the invoice yet.
          const there = ({ status }: ApiResponse) => status !== 404;
          judge(lab, await pollUntil(lab, () => ask({ as, headers }), there), name);
          return true;
        }),
      ),
    );
    if (!answers.includes(true)) notApplicable('no other key may list or read');
  });
}

/** What every key may be asked to do: it lists, and reads an invoice. */
async function requestsOf(lab: Lab): Promise<((extra: Extra) => Promise<ApiResponse>)[]> {
  const listing = (extra: Extra) => list(lab, { page: 0, limit: 1 }, extra);
  const reads = lab.target.operations.read?.method === 'GET' && lab.run.plan.mutations;
  if (!reads || !lab.run.plan.organizations.buyer) return [listing];
  await firstInvoice(lab);
  const { id } = await freshInvoice(lab);
  return [listing, (extra) => readInvoice(lab, id, extra)];
}

export const NAMING_PRODUCTION = { headers: environment('PRODUCTION') };
